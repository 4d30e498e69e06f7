/**
 * A validation as Markdown, in the shape engineers know: method, acceptance, machine code, a table per axis, notes,
 * summary, how to repeat it, the machine.
 */
import type { EnvelopeJudgement } from "../validate/envelope.js";
import type {
  AxisValidation,
  CellStatus,
  MetricValidation,
  MetricVerdict,
  SubjectFigures,
  Validation,
} from "../validate/validation.js";
import { escapedMarkdown } from "./comparison/comparison-markdown.js";
import { valueText } from "./comparison/comparison-text.js";
import { hostLines } from "./reports/host-lines.js";
import { columnWidths, padded } from "./table.js";

/** What a report adds to a validation: how it was made. */
export interface ValidationContext {
  /** The command line, as a shell reads it. */
  readonly command: string;
}

const percent = (value: number): string => {
  if (!Number.isFinite(value)) return "∞ %";
  const text = Math.abs(value).toFixed(1);
  return text === "0.0" ? "0 %" : `${value > 0 ? "+" : "−"}${text} %`;
};

const average = (value: number): number => (Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toFixed(1)));

/** `5021µs [4990µs–5050µs]`. */
const figuresText = (metric: MetricValidation, { average: middle, min, max }: SubjectFigures): string =>
  middle === null || min === null || max === null
    ? "–"
    : `${valueText(average(middle), metric.unit)} [${valueText(average(min), metric.unit)}–${valueText(average(max), metric.unit)}]`;

/** The published rule's word: `yes`, `NO (+3.1 %)`, `noise`. */
const envelopeText = (judgement: EnvelopeJudgement | null): string => {
  if (judgement === null) return "–";
  if (judgement.verdict === "no") return `**NO (${percent(judgement.distancePercent)})**`;
  return judgement.verdict;
};

/** What the interval says: `inside`, `outside`, `undecided, about 4 more rounds`, with the interval. */
const equivalenceText = (equivalence: EnvelopeJudgement["equivalence"]): string => {
  const { kind, distancePercent, furtherRounds } = equivalence;
  const interval =
    distancePercent === null ? "" : ` [${percent(distancePercent.low)}, ${percent(distancePercent.high)}]`;
  if (kind !== "undecided") return `${kind}${interval}`;
  const more =
    furtherRounds === null ? "" : `, about ${furtherRounds} more ${furtherRounds === 1 ? "round" : "rounds"}`;
  return `undecided${more}${interval}`;
};

const verdictCells = (verdict: MetricVerdict): readonly string[] => {
  if (verdict.status === "not-judged" || verdict.judgement === null) return ["–", "not judged"];
  const { judgement } = verdict;
  return [envelopeText(judgement), verdict.status === "noise" ? "–" : equivalenceText(judgement.equivalence)];
};

const markdownTable = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = columnWidths(rows.map((row) => row.map((text) => ({ text }))));
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, column) => padded(text, Math.max(3, widths[column] ?? 0))).join(" | ")} |`;
  const [header = [], ...body] = rows;
  return [line(header), `| ${widths.map((width) => "-".repeat(Math.max(3, width))).join(" | ")} |`, ...body.map(line)];
};

/** Why a metric is noise, said once for all of our builds for which it is. */
const noiseNotes = (metric: MetricValidation): readonly string[] => {
  const noisy = metric.verdicts.filter(({ judgement }) => judgement?.verdict === "noise");
  const noise = noisy[0]?.judgement?.noise;
  if (noise === undefined || noise.because === null) return [];
  const value = (size: number) => valueText(average(size), metric.unit);
  const why = {
    "reference-spread": `one reference scatters by ${value(noise.referenceSpread)} over its rounds`,
    resolution: `the metric tells apart no less than ${value(noise.resolution)}`,
    "published-list": "the published list says so",
  };
  const who = metric.verdicts.length === 1 ? "" : ` for ${noisy.map(({ subject }) => subject).join(", ")}`;
  return [
    `${metric.label} is noise${who}: ${why[noise.because]}, and the envelope is ${value(noise.envelopeWidth)} wide.`,
  ];
};

const axisBlock = (validation: Validation, axis: AxisValidation): string => {
  const ours = validation.subjects.filter((subject) => subject.role === "ours");
  const titles = ours.flatMap(({ name }) =>
    ours.length === 1 ? ["in the envelope?", "interval says"] : [`${name} in the envelope?`, `${name}: interval says`],
  );
  const [anyMetric] = axis.metrics;
  const columns = anyMetric?.subjects.map(({ subject }) => subject) ?? [];
  const rows = axis.metrics.map((metric) => [
    metric.label,
    ...metric.subjects.map((figures) => figuresText(metric, figures)),
    ...metric.verdicts.flatMap(verdictCells),
  ]);
  const notes = [
    ...axis.degeneracies.map((degeneracy) => `${degeneracy.message}.`),
    ...axis.metrics.flatMap(noiseNotes),
  ];
  const engineFlags = axis.engineFlags === "" ? "" : ` (ours: \`${axis.engineFlags}\`)`;
  return [
    `### ${axis.name}: \`${axis.flags}\`${engineFlags}, ${axis.rounds} rounds`,
    "",
    ...markdownTable([["metric", ...columns, ...titles].map(escapedMarkdown), ...rows]),
    ...(notes.length === 0 ? [] : ["", ...notes.map((note) => `- ${escapedMarkdown(note)}`)]),
  ].join("\n");
};

const STATUS_TEXT = {
  inside: "inside",
  noise: "noise",
  outside: "outside",
  undecided: "undecided",
  "not-judged": "shown, not judged",
} as const satisfies Record<CellStatus, string>;

const STATUSES = ["inside", "noise", "outside", "undecided", "not-judged"] as const satisfies readonly CellStatus[];

/** The outcome in one sentence. */
export const validationHeadline = ({ outcome, counts, code }: Validation): string => {
  const figures = STATUSES.filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${STATUS_TEXT[status]}`)
    .join(", ");
  const badCode = code?.filter((check) => !check.ok) ?? [];
  const because =
    badCode.length === 0
      ? ""
      : `; machine code not as it should be: ${badCode.map((check) => check.subject).join(", ")}`;
  const said = {
    inside: "Nothing is outside the envelope of the references",
    outside: "Not all is inside the envelope of the references",
    undecided: "Undecided",
  };
  return `${said[outcome]}: ${figures === "" ? "nothing was judged" : figures}${because}.`;
};

const acceptance = (validation: Validation): string =>
  validation.policy === "published"
    ? "A metric is in the envelope when our average over rounds lies between the lowest and the highest of the references' averages; otherwise the distance from the nearer edge is given. Wakeup p99 and all pipe metrics count as noise by decree (`--policy published`)."
    : "A metric is in the envelope when our average over rounds lies between the lowest and the highest of the references' averages; otherwise the distance from the nearer edge is given. A metric is noise when one reference scatters more between its own rounds than the references lie apart, or when its resolution is coarser than that. For the others the bootstrap interval of our distance over rounds decides: inside, outside, or undecided.";

const codeBlock = (validation: Validation): readonly string[] => {
  if (validation.code === null) return ["Not looked at."];
  if (validation.code.length === 0) return ["No build to look at was found."];
  return markdownTable([
    ["build", "as it should be?", "what was found"],
    ...validation.code.map(({ subject, ok, summary }) => [
      escapedMarkdown(subject),
      ok ? "yes" : "**NO**",
      escapedMarkdown(summary),
    ]),
  ]);
};

const notes = ({ leftOut, schedulers }: Validation): readonly string[] => [
  ...(schedulers.length > 1
    ? [`- More than one scheduler was in charge: ${escapedMarkdown(schedulers.join(", "))}.`]
    : []),
  ...leftOut.map((line) => `- Left out: ${escapedMarkdown(line)}.`),
];

/** The report, ending in a newline. */
export const validationMarkdown = (validation: Validation, context: ValidationContext): string => {
  const { subjects, axes, counts } = validation;
  const remarks = notes(validation);
  const blocks = [
    "# Validation",
    `**${escapedMarkdown(validationHeadline(validation))}**`,
    "## Method",
    "The same workload, axis by axis, on several implementations in turn: in each round every axis, in each axis every implementation once, in random order, one directly after the other. Figures are averages over rounds, with the lowest and the highest round in brackets.",
    markdownTable([
      ["implementation", "role", "what it is"],
      ...subjects.map(({ name, role, description }) => [name, role, description].map(escapedMarkdown)),
    ]).join("\n"),
    "## Acceptance",
    acceptance(validation),
    "## Machine code",
    codeBlock(validation).join("\n"),
    "## Axes",
    ...axes.map((axis) => axisBlock(validation, axis)),
    ...(remarks.length === 0 ? [] : ["## Notes", remarks.join("\n")]),
    "## Summary",
    markdownTable([
      ["verdict", "metrics"],
      ...STATUSES.map((status) => [STATUS_TEXT[status], String(counts[status])]),
    ]).join("\n"),
    "## How to repeat it",
    ["```sh", context.command, "```"].join("\n"),
    "## Machine",
    [
      `- date: ${validation.startedAt.slice(0, 10)}`,
      ...hostLines(validation.host).map((line) => `- ${escapedMarkdown(line)}`),
    ].join("\n"),
  ];
  return `${blocks.join("\n\n")}\n`;
};
