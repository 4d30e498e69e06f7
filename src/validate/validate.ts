/** Judges a validation's runs: pure, from the records of an experiment to the outcome. */
import { axisNamed, axisNote } from "./axes.js";
import { judgeByRound, type RoundJudgement } from "./by-round.js";
import { degeneracies, type SubjectResults } from "./degenerate.js";
import { type EnvelopeJudgement, judgeEnvelope } from "./envelope.js";
import { axisFigures, type JudgedFigure } from "./figures.js";
import { mean } from "../stats/sample.js";
import { type ExperimentHeader, type RunRecord, resultsByRound } from "../experiment/record.js";
import type { Cell, Subject } from "../experiment/subject.js";
import {
  type AxisValidation,
  type CellStatus,
  type CodeCheck,
  type EnvelopeVerdict,
  type MetricValidation,
  type MetricVerdict,
  type Policy,
  type SubjectFigures,
  type Validation,
  VALIDATION_VERSION,
} from "./validation.js";

/** What a judgement needs besides the runs. */
export interface ValidateOptions {
  readonly policy: Policy;
  /** Names of the subjects that are held to be right. */
  readonly references: readonly string[];
  /** Those of them that span the envelope; left out: all. */
  readonly envelope?: readonly string[];
  readonly code: readonly CodeCheck[] | null;
  readonly marginPercent?: number;
}

const figuresOf = (subject: string, values: readonly (number | null)[]): SubjectFigures => {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return { subject, values, average: null, min: null, max: null };
  return { subject, values, average: mean(known), min: Math.min(...known), max: Math.max(...known) };
};

/** The published rule decides by averages alone, the measured one by the interval of the distance, ours by ratios. */
const statusOf = (judgement: EnvelopeJudgement | null, byRound: RoundJudgement | null, policy: Policy): CellStatus => {
  if (policy === "by-round") return byRound?.kind ?? "not-judged";
  if (judgement === null) return "not-judged";
  if (judgement.verdict === "noise") return "noise";
  if (policy === "published") return judgement.verdict === "yes" ? "inside" : "outside";
  return judgement.equivalence.kind;
};

const NOT_JUDGED: EnvelopeVerdict = { status: "not-judged", judgement: null, byRound: null };

/** What the envelope of some references says of one of our builds. */
const judgeFigure = (
  figure: JudgedFigure,
  ours: SubjectFigures,
  references: readonly SubjectFigures[],
  { policy, seed, marginPercent }: { readonly policy: Policy; readonly seed: number; readonly marginPercent: number },
): EnvelopeVerdict => {
  const { id, quantised, noiseFloor, absoluteFloor } = figure;
  const named = references.map(({ subject, values }) => ({ name: subject, values }));
  const judgement = judgeEnvelope(
    { metric: { id, quantised }, ours: ours.values, references: named },
    { policy: policy === "published" ? "published" : "measured", seed, marginPercent },
  );
  const byRound = judgeByRound(
    { ours: ours.values, references: references.map(({ values }) => values), quantised, noiseFloor, absoluteFloor },
    { marginPercent },
  );
  return { status: statusOf(judgement, byRound, policy), judgement, byRound };
};

const judgeAxis = (
  header: ExperimentHeader,
  cell: Cell,
  records: readonly RunRecord[],
  options: ValidateOptions,
): AxisValidation => {
  const axis = axisNamed(cell.name);
  const isReference = (name: string) => options.references.includes(name);
  const spans = (name: string) => (options.envelope ?? options.references).includes(name);
  const ordered = [
    ...header.subjects.filter((subject) => isReference(subject.name)),
    ...header.subjects.filter((subject) => !isReference(subject.name)),
  ];
  const byRound = ordered.map(({ name }) => ({ subject: name, rounds: resultsByRound(records, name, cell.name) }));
  const results: readonly SubjectResults[] = byRound.map(({ subject, rounds }) => ({
    subject,
    isReference: isReference(subject),
    results: rounds.filter((result) => result !== null),
  }));
  const found = axis === undefined ? [] : degeneracies(axis, results);
  const spoilt = new Set<string>(found.flatMap((degeneracy) => degeneracy.spoils));
  const resultsOf = (role: boolean) =>
    results.flatMap((subject) => (subject.isReference === role ? subject.results : []));
  const figures = axis === undefined ? [] : axisFigures(axis, resultsOf(true), resultsOf(false));
  const rule = { policy: options.policy, seed: header.seed, marginPercent: options.marginPercent ?? 0 };

  const judgeMetric = (figure: JudgedFigure): MetricValidation => {
    const subjects = byRound.map(({ subject, rounds }) =>
      figuresOf(
        subject,
        rounds.map((result) => (result === null ? null : figure.read(result))),
      ),
    );
    const references = subjects.filter(({ subject }) => isReference(subject));
    const spanning = references.filter(({ subject }) => spans(subject));
    const verdicts = subjects
      .filter(({ subject }) => !isReference(subject))
      .map((ours): MetricVerdict => {
        const isSpoilt = spoilt.has(figure.id);
        const judge = (against: readonly SubjectFigures[]) =>
          isSpoilt ? NOT_JUDGED : judgeFigure(figure, ours, against, rule);
        const allBuilds = spanning.length === references.length ? null : judge(references);
        return { subject: ours.subject, ...judge(spanning), allBuilds };
      });
    const { id, label, unit, group } = figure;
    return { id, label, unit, group, subjects, verdicts };
  };
  return {
    name: cell.name,
    flags: [...(cell.prefix ?? []), ...cell.flags].join(" "),
    engineFlags: cell.engineFlags.join(" "),
    rounds: Math.max(0, ...results.map((subject) => subject.results.length)),
    degeneracies: found,
    notes: axis === undefined ? [] : [axisNote(axis, cell)].filter((note) => note !== null),
    metrics: figures.map(judgeMetric),
  };
};

const describe = (subject: Subject, records: readonly RunRecord[]): string => {
  const own = subject.flags.join(" ");
  if (subject.launch.kind === "external") return [...subject.launch.command, own].join(" ").trim();
  const source = records.find((record) => record.slot.subject === subject.name && record.result !== null)?.result
    ?.source;
  const build = source?.kind === "engine" ? `${source.engine} engine, ${source.build}` : "our engine";
  return own === "" ? build : `${build} (${own})`;
};

const outcomeOf = (counts: Readonly<Record<CellStatus, number>>, code: readonly CodeCheck[] | null) => {
  if (counts.outside > 0 || code?.some((check) => !check.ok) === true) return "outside";
  const judged = counts.inside + counts.noise + counts.undecided;
  return counts.undecided > 0 || judged === 0 ? "undecided" : "inside";
};

const countsOf = (verdicts: readonly EnvelopeVerdict[]): Readonly<Record<CellStatus, number>> => {
  const counts = { inside: 0, outside: 0, noise: 0, undecided: 0, "not-judged": 0 };
  for (const { status } of verdicts) counts[status]++;
  return counts;
};

/** Judges every axis of a validation from the runs that count. */
export const judgeValidation = (
  header: ExperimentHeader,
  records: readonly RunRecord[],
  options: ValidateOptions,
): Validation => {
  const axes = header.cells.map((cell) => judgeAxis(header, cell, records, options));
  const verdicts = axes.flatMap((axis) => axis.metrics.flatMap((metric) => metric.verdicts));
  const counts = countsOf(verdicts);
  const all = verdicts.flatMap((verdict) => verdict.allBuilds ?? []);
  const changed = records.filter((record) => record.excluded?.code === "sched-ext-changed");
  return {
    format: "schbench-ts/validation",
    version: VALIDATION_VERSION,
    startedAt: header.startedAt,
    policy: options.policy,
    subjects: header.subjects.map((subject) => ({
      name: subject.name,
      role: options.references.includes(subject.name) ? "reference" : "ours",
      description: describe(subject, records),
    })),
    envelope: options.envelope ?? options.references,
    axes,
    code: options.code,
    counts,
    allBuilds: all.length === 0 ? null : countsOf(all),
    outcome: outcomeOf(counts, options.code),
    schedulers: [...new Set(records.flatMap(({ schedExt }) => schedExt.before ?? []))],
    leftOut: changed.map(
      ({ slot, excluded }) => `${slot.subject}, ${slot.cell}, round ${slot.round}: ${excluded?.message ?? ""}`,
    ),
    host: records.find((record) => record.result?.host)?.result?.host ?? null,
  };
};

/** Names of the axes on which some verdict is still undecided. */
export const undecidedAxes = (validation: Validation): readonly string[] =>
  validation.axes
    .filter((axis) => axis.metrics.some((metric) => metric.verdicts.some((verdict) => verdict.status === "undecided")))
    .map((axis) => axis.name);
