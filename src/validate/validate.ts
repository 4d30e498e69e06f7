/** Judges a validation's runs: pure, from the records of an experiment to the outcome. */
import { axisMetrics, axisNamed } from "./axes.js";
import { degeneracies, type SubjectResults } from "./degenerate.js";
import { type EnvelopeJudgement, judgeEnvelope } from "./envelope.js";
import { type MetricId, metricOf } from "../model/metrics.js";
import { type ExperimentHeader, type RunRecord, resultsByRound } from "../experiment/record.js";
import type { Cell, Subject } from "../experiment/subject.js";
import {
  type AxisValidation,
  type CellStatus,
  type CodeCheck,
  type MetricValidation,
  type Policy,
  type SubjectFigures,
  type Validation,
  VALIDATION_VERSION,
} from "./validation.js";

/** What a judgement needs besides the runs. */
export interface ValidateOptions {
  readonly policy: Policy;
  /** Names of the subjects that span the envelope. */
  readonly references: readonly string[];
  readonly code: readonly CodeCheck[] | null;
  readonly marginPercent?: number;
}

const figuresOf = (subject: string, values: readonly (number | null)[]): SubjectFigures => {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return { subject, values, average: null, min: null, max: null };
  return {
    subject,
    values,
    average: known.reduce((sum, value) => sum + value, 0) / known.length,
    min: Math.min(...known),
    max: Math.max(...known),
  };
};

/** The published rule decides by averages alone; the measured one by the interval of the distance. */
const statusOf = (judgement: EnvelopeJudgement | null, policy: Policy): CellStatus => {
  if (judgement === null) return "not-judged";
  if (judgement.verdict === "noise") return "noise";
  if (policy === "published") return judgement.verdict === "yes" ? "inside" : "outside";
  return judgement.equivalence.kind;
};

const judgeAxis = (
  header: ExperimentHeader,
  cell: Cell,
  records: readonly RunRecord[],
  options: ValidateOptions,
): AxisValidation => {
  const axis = axisNamed(cell.name);
  const isReference = (name: string) => options.references.includes(name);
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
  const spoilt = new Set(found.flatMap((degeneracy) => degeneracy.spoils));

  const judgeMetric = (id: MetricId): MetricValidation => {
    const metric = metricOf(id);
    const subjects = byRound.map(({ subject, rounds }) =>
      figuresOf(
        subject,
        rounds.map((result) => (result === null ? null : metric.read(result))),
      ),
    );
    const references = subjects
      .filter(({ subject }) => isReference(subject))
      .map(({ subject, values }) => ({ name: subject, values }));
    const verdicts = subjects
      .filter(({ subject }) => !isReference(subject))
      .map(({ subject, values }) => {
        if (spoilt.has(id)) return { subject, status: "not-judged" as const, judgement: null };
        const judgement = judgeEnvelope(
          { metric: { id, quantised: metric.quantised }, ours: values, references },
          { policy: options.policy, seed: header.seed, marginPercent: options.marginPercent ?? 0 },
        );
        return { subject, status: statusOf(judgement, options.policy), judgement };
      });
    return { id, label: metric.label, unit: metric.unit, subjects, verdicts };
  };
  return {
    name: cell.name,
    flags: cell.flags.join(" "),
    engineFlags: cell.engineFlags.join(" "),
    rounds: Math.max(0, ...results.map((subject) => subject.results.length)),
    degeneracies: found,
    metrics: (axis === undefined ? [] : axisMetrics(axis)).map(judgeMetric),
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

/** Judges every axis of a validation from the runs that count. */
export const judgeValidation = (
  header: ExperimentHeader,
  records: readonly RunRecord[],
  options: ValidateOptions,
): Validation => {
  const axes = header.cells.map((cell) => judgeAxis(header, cell, records, options));
  const counts = { inside: 0, outside: 0, noise: 0, undecided: 0, "not-judged": 0 };
  for (const verdict of axes.flatMap((axis) => axis.metrics.flatMap((metric) => metric.verdicts)))
    counts[verdict.status]++;
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
    axes,
    code: options.code,
    counts,
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
