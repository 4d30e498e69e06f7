/**
 * A validation as Markdown, in the shape engineers know: method, acceptance, machine code, a table per axis, notes,
 * summary, how to repeat it, the machine.
 */
import { at } from "../../at.js";
import type { EnvelopeJudgement } from "../../validate/envelope.js";
import type {
  AxisValidation,
  MetricValidation,
  MetricVerdict,
  SubjectFigures,
  Validation,
} from "../../validate/validation.js";
import { escapedMarkdown } from "../comparison/comparison-markdown.js";
import { hostLines } from "../reports/host-lines.js";
import { columnWidths, padded } from "../table.js";
import {
  byRoundText,
  countsText,
  distanceText,
  figureText,
  percentText,
  STATUSES,
  STATUS_TEXT,
  validationHeadline,
} from "./validation-sentences.js";

/** What a report adds to a validation: how it was made. */
export interface ValidationContext {
  /** The command line, as a shell reads it. */
  readonly command: string;
}

/** `5021µs [4990µs–5050µs]`. */
const figuresText = (metric: MetricValidation, { average: middle, min, max }: SubjectFigures): string =>
  middle === null || min === null || max === null
    ? "–"
    : `${figureText(middle, metric.unit)} [${figureText(min, metric.unit)}–${figureText(max, metric.unit)}]`;

/** The published rule's word: `yes`, `NO (+3.1 %)`, `noise`. */
const envelopeText = (judgement: EnvelopeJudgement | null, unit: MetricValidation["unit"]): string => {
  if (judgement === null) return "–";
  const { verdict, distancePercent, distance } = judgement;
  if (verdict !== "no") return verdict;
  return `**NO (${distanceText(distancePercent, distance, unit)})**`;
};

/** What the interval says: `inside`, `outside`, `undecided, about 4 more rounds`, with the interval. */
const equivalenceText = (equivalence: EnvelopeJudgement["equivalence"]): string => {
  const { kind, distancePercent, furtherRounds } = equivalence;
  const interval =
    distancePercent === null ? "" : ` [${percentText(distancePercent.low)}, ${percentText(distancePercent.high)}]`;
  if (kind !== "undecided") return `${kind}${interval}`;
  const more =
    furtherRounds === null ? "" : `, about ${furtherRounds} more ${furtherRounds === 1 ? "round" : "rounds"}`;
  return `undecided${more}${interval}`;
};

const verdictCells = (
  verdict: MetricVerdict,
  unit: MetricValidation["unit"],
  hasAllBuilds: boolean,
): readonly string[] => {
  const all = hasAllBuilds ? [byRoundText(verdict.allBuilds?.byRound ?? null, unit)] : [];
  if (verdict.judgement === null) return ["–", "not judged", "not judged", ...all];
  const { judgement, byRound } = verdict;
  return [
    envelopeText(judgement, unit),
    judgement.verdict === "noise" ? "–" : equivalenceText(judgement.equivalence),
    byRoundText(byRound, unit),
    ...all,
  ];
};

/** A table of Markdown that reads well as text too; the first row is the head. */
export const markdownTable = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = columnWidths(rows.map((row) => row.map((text) => ({ text }))));
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, column) => padded(text, Math.max(3, at(widths, column)))).join(" | ")} |`;
  const [header = [], ...body] = rows;
  return [line(header), `| ${widths.map((width) => "-".repeat(Math.max(3, width))).join(" | ")} |`, ...body.map(line)];
};

/** Why a metric is noise, said once for all of our builds for which it is. */
const noiseNotes = (metric: MetricValidation): readonly string[] => {
  const noisy = metric.verdicts.filter(({ judgement }) => judgement?.verdict === "noise");
  const noise = noisy[0]?.judgement?.noise;
  if (noise === undefined || noise.because === null) return [];
  const value = (size: number) => figureText(size, metric.unit);
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
  const hasAllBuilds = validation.allBuilds !== null;
  const rules = ["in the envelope?", "interval says", "by round", ...(hasAllBuilds ? ["by round, all builds"] : [])];
  const titles = ours.flatMap(({ name }) => rules.map((rule) => (ours.length === 1 ? rule : `${name}: ${rule}`)));
  const [anyMetric] = axis.metrics;
  const columns = anyMetric?.subjects.map(({ subject }) => subject) ?? [];
  const rows = axis.metrics.map((metric) => [
    metric.label,
    ...metric.subjects.map((figures) => figuresText(metric, figures)),
    ...metric.verdicts.flatMap((verdict) => verdictCells(verdict, metric.unit, hasAllBuilds)),
  ]);
  const notes = [
    ...axis.notes.map((note) => `${note}.`),
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

const RULES = {
  averages:
    "*In the envelope?* A figure is in the envelope when our average over rounds lies between the lowest and the highest of the references' averages; otherwise the distance from the nearer edge is given.",
  published: "Wakeup p99 and all pipe metrics count as noise by a fixed list.",
  measured:
    "A figure is noise when one reference scatters more between its own rounds than the references lie apart, or when its resolution is coarser than that. *Interval says*: for the others the bootstrap interval of our distance over rounds decides: inside, outside, or undecided.",
  byRound:
    "*By round*: our value divided by each reference's of the same round, over rounds. Outside: shown to lie above every reference, or below every one, and by more than matters. Inside: shown not to. Noise: shown to be no farther off than two single runs of the references lie apart within a round (95 %). In brackets, how far outside we are shown to be, or may still be.",
} as const;

const acceptance = ({ policy, envelope, allBuilds }: Validation): string => {
  const rules = [RULES.averages, RULES[policy === "published" ? "published" : "measured"], RULES.byRound];
  const decides = { "by-round": "by round", measured: "interval says", published: "in the envelope?" }[policy];
  const which =
    allBuilds === null
      ? ""
      : `The envelope is that of ${envelope.join(" and ")}; *all builds* is that of every reference.`;
  return [...rules, `The column *${decides}* decides (\`--policy ${policy}\`).`, which]
    .filter((text) => text !== "")
    .join("\n\n");
};

const codeBlock = (validation: Validation): readonly string[] => {
  if (validation.code === null) return ["Not checked."];
  if (validation.code.length === 0) return ["No build was found to check."];
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
    ...(validation.allBuilds === null
      ? []
      : [`By the envelope of all references: ${countsText(validation.allBuilds)}.`]),
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
