/**
 * The page of a validation: the answer, its picture, what may be concluded, and every cell that lies outside. Each sentence is
 * made from the tables it stands above.
 */
import { counted } from "../../counted.js";
import type { CellStatus, MetricValidation, Validation } from "../../validate/validation.js";
import { escapedMarkdown } from "../comparison/comparison-markdown.js";
import { hostLines } from "../reports/host-lines.js";
import { markdownTable } from "./validation-markdown.js";
import {
  byRoundText,
  cellsOf,
  countsText,
  distanceOf,
  figureText,
  listed,
  percentText,
  STATUSES,
  type ToldCell,
  validationHeadline,
} from "./validation-sentences.js";

/** Why cells lie outside: what a person found out. Holds for every cell of these axes and figures; `*` is all. */
export interface Cause {
  readonly axes: readonly string[];
  /** Names as in JSON, such as `request-p50`. */
  readonly metrics: readonly string[];
  readonly cause: string;
}

/** Below this line a page is written by hand, and kept when it is written anew. */
export const HAND_WRITTEN = "<!-- written by hand from here on -->";

/** What a page adds to a validation. */
export interface PageContext {
  readonly command: string;
  readonly causes: readonly Cause[];
  /** Where tables and picture are, seen from the page. */
  readonly tables: string;
  readonly picture: string;
}

const GROUPS = [
  ["latency", "latencies and rates"],
  ["fingerprint", "what the kernel saw (fingerprint)"],
] as const satisfies readonly (readonly [MetricValidation["group"], string])[];

const countsIn = (cells: readonly ToldCell[]): Readonly<Record<CellStatus, number>> => {
  const counts = { inside: 0, outside: 0, noise: 0, undecided: 0, "not-judged": 0 };
  for (const { verdict } of cells) counts[verdict.status]++;
  return counts;
};

const oursIn = ({ subjects }: Validation): readonly string[] =>
  subjects.filter(({ role }) => role === "ours").map(({ name }) => name);

/** `rounds` where all axes have as many, else from which to which. */
const roundsText = ({ axes }: Validation): string => {
  const rounds = axes.map((axis) => axis.rounds);
  const [fewest, most] = [Math.min(...rounds), Math.max(...rounds)];
  return fewest === most ? counted(most, "round") : `${fewest} to ${most} rounds`;
};

const whereText = ({ host }: Validation): string => {
  if (host === null) return "an unknown machine";
  const core = host.cpuSignature ?? null;
  return `${host.cpuModel ?? "an unnamed CPU"}${core === null ? "" : ` (${core})`}, ${host.cpusOnline} CPUs, Linux ${host.kernel}`;
};

/** A table of how many cells of each group have which verdict, build by build. */
const groupTable = (validation: Validation, cells: readonly ToldCell[]): readonly string[] =>
  markdownTable([
    ["build", "figures", ...STATUSES.map((status) => (status === "not-judged" ? "not judged" : status))],
    ...oursIn(validation).flatMap((name) =>
      GROUPS.flatMap(([group, title]) => {
        const own = cells.filter(({ metric, verdict }) => metric.group === group && verdict.subject === name);
        if (own.length === 0) return [];
        const counts = countsIn(own);
        return [[escapedMarkdown(name), title, ...STATUSES.map((status) => String(counts[status]))]];
      }),
    ),
  ]);

const judgedIn = (counts: Readonly<Record<CellStatus, number>>): number =>
  counts.inside + counts.noise + counts.outside + counts.undecided;

const farthestText = (validation: Validation, cells: readonly ToldCell[]): string => {
  const outside = cells.flatMap((cell) => {
    const distance = cell.verdict.status === "outside" ? distanceOf(cell.verdict, validation) : null;
    // Beyond an edge of 0 there is no percentage that could be the largest.
    return distance === null || !Number.isFinite(distance) ? [] : [{ cell, distance }];
  });
  const [farthest] = outside.toSorted((a, b) => Math.abs(b.distance) - Math.abs(a.distance));
  if (farthest === undefined) return "";
  const { metric, axis, verdict } = farthest.cell;
  const who = oursIn(validation).length === 1 ? "" : ` of ${verdict.subject}`;
  return ` The farthest outside is ${metric.label} on ${axis.name}${who}, ${percentText(farthest.distance)}.`;
};

/** Names beyond these are counted: a page has one screen, the tables have the rest. */
const MOST_NAMED = 5;

/** The first few, and how many there are besides. */
const fewOf = (texts: readonly string[], noun: string): string => {
  const rest = texts.length - MOST_NAMED;
  return listed(rest > 1 ? [...texts.slice(0, MOST_NAMED), `${rest} more ${noun}`] : texts);
};

/** Where the undecided cells are, the axes with most of them first. */
const undecidedText = (cells: readonly ToldCell[]): string => {
  const axes = new Map<string, number>();
  for (const { axis, verdict } of cells)
    if (verdict.status === "undecided") axes.set(axis.name, (axes.get(axis.name) ?? 0) + 1);
  const texts = [...axes].toSorted(([, a], [, b]) => b - a).map(([name, count]) => `${count} on ${name}`);
  return fewOf(texts, "axes");
};

/** Which figures are mostly noise, and on how many axes. */
const noiseText = (cells: readonly ToldCell[]): string => {
  const labels = [...new Set(cells.map(({ metric }) => metric.label))];
  const noisy = labels
    .map((label) => {
      const own = cells.filter(({ metric, verdict }) => metric.label === label && verdict.status !== "not-judged");
      return { label, all: own.length, noise: own.filter(({ verdict }) => verdict.status === "noise").length };
    })
    .filter(({ noise }) => noise > 0)
    .toSorted((a, b) => b.noise - a.noise);
  return noisy.length === 0
    ? "No figure is noise."
    : `Noise means that two runs of the references lie farther apart than we may be off: ${fewOf(
        noisy.map(({ label, all, noise }) => `${label} in ${noise} of ${all} cells`),
        "figures",
      )}.`;
};

const conclusions = (validation: Validation, cells: readonly ToldCell[]): readonly string[] => {
  const counts = countsIn(cells);
  const judged = judgedIn(counts);
  const builds = listed(oursIn(validation));
  const references = listed(validation.subjects.filter(({ role }) => role === "reference").map(({ name }) => name));
  const clean = validation.axes.filter((axis) =>
    axis.metrics.every(({ verdicts }) =>
      verdicts.every(({ status }) => status !== "outside" && status !== "undecided"),
    ),
  );
  const all = validation.allBuilds;
  return [
    `On this machine ${builds} ${counts.outside === 0 ? "measures" : "measures, except in the cells listed below,"} what schbench measures as built by ${listed(validation.envelope)}: ${counts.inside} of ${judged} judged figures are shown to lie inside their envelope, ${counts.noise} no farther off than the references lie from themselves.`,
    `On ${clean.length} of ${counted(validation.axes.length, "axis").replace("axiss", "axes")} nothing is outside or undecided.${farthestText(validation, cells)}`,
    noiseText(cells),
    ...(counts.undecided > 0
      ? [`${counted(counts.undecided, "figure")} would need more rounds: ${undecidedText(cells)}.`]
      : []),
    ...(all === null ? [] : [`By the envelope of all builds (${references}): ${countsText(all)}.`]),
    ...(validation.policy === "by-round"
      ? [
          `A figure that truly lies on an edge is called outside in at most one experiment of twenty; so of ${judged} judged ones a few may be outside by chance, and a repetition shows which.`,
        ]
      : []),
    `This says nothing about another core: it was measured on ${whereText(validation)}. The same command answers for yours.`,
  ];
};

const fits = (names: readonly string[], name: string): boolean => names.includes("*") || names.includes(name);

const causeOf = ({ axis, metric }: ToldCell, causes: readonly Cause[]): string => {
  const found = causes.filter((cause) => fits(cause.axes, axis.name) && fits(cause.metrics, metric.id));
  return found.length === 0 ? "not known" : found.map(({ cause }) => cause).join(" ");
};

const valueOf = ({ metric, verdict }: ToldCell): string => {
  const own = metric.subjects.find(({ subject }) => subject === verdict.subject)?.average ?? null;
  return own === null ? "–" : figureText(own, metric.unit);
};

const envelopeOf = ({ metric, verdict }: ToldCell): string => {
  const envelope = verdict.judgement?.envelope;
  return envelope === undefined
    ? "–"
    : `${figureText(envelope.low, metric.unit)}–${figureText(envelope.high, metric.unit)}`;
};

const saidOf = (cell: ToldCell, validation: Validation): string =>
  validation.policy === "by-round"
    ? byRoundText(cell.verdict.byRound, cell.metric.unit)
    : percentText(distanceOf(cell.verdict, validation) ?? Number.NaN);

/** Cells, a row each. */
const cellTable = (validation: Validation, cells: readonly ToldCell[]): string => {
  const several = oursIn(validation).length > 1;
  return markdownTable([
    ["axis", "figure", ...(several ? ["build"] : []), "ours", "envelope", "by how much"],
    ...cells.map((cell) => [
      escapedMarkdown(cell.axis.name),
      escapedMarkdown(cell.metric.label),
      ...(several ? [escapedMarkdown(cell.verdict.subject)] : []),
      valueOf(cell),
      envelopeOf(cell),
      saidOf(cell, validation),
    ]),
  ]).join("\n");
};

/** Every cell outside, under its cause. */
const outsideBlocks = (
  validation: Validation,
  cells: readonly ToldCell[],
  causes: readonly Cause[],
): readonly string[] => {
  const byCause = new Map<string, ToldCell[]>();
  for (const cell of cells) {
    if (cell.verdict.status !== "outside") continue;
    const cause = causeOf(cell, causes);
    byCause.set(cause, [...(byCause.get(cause) ?? []), cell]);
  }
  return [...byCause].flatMap(([cause, own]) => [`**Cause: ${escapedMarkdown(cause)}.**`, cellTable(validation, own)]);
};

/** The page, ending in the line below which it is written by hand. */
export const validationPage = (validation: Validation, context: PageContext): string => {
  const cells = cellsOf(validation);
  const counts = countsIn(cells);
  const blocks = [
    "# Validation",
    "<!-- written by schbench-ts validate --output-dir: change nothing above the line for what is written by hand -->",
    `**${escapedMarkdown(validationHeadline(validation))}**`,
    `![How far from the envelope of the references each figure lies, axis by axis](${context.picture})`,
    groupTable(validation, cells).join("\n"),
    `${roundsText(validation)} on ${whereText(validation)}, ${validation.startedAt.slice(0, 10)}. Every figure of every axis: [${context.tables}](${context.tables}). How it is judged: [statistics.md](statistics.md).`,
    "## What may be concluded",
    conclusions(validation, cells)
      .map((sentence) => `- ${escapedMarkdown(sentence)}`)
      .join("\n"),
    ...(counts.outside === 0
      ? []
      : ["## What lies outside, and why", ...outsideBlocks(validation, cells, context.causes)]),
    "## How to repeat it",
    ["```sh", context.command, "```"].join("\n"),
    "Interrupted, the same command goes on with what `-o` holds; `--from` judges what is there without running anything.",
    "## Machine",
    hostLines(validation.host)
      .map((line) => `- ${escapedMarkdown(line)}`)
      .join("\n"),
    HAND_WRITTEN,
  ];
  return `${blocks.join("\n\n")}\n`;
};
