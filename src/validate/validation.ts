/**
 * The outcome of a validation: every axis, every metric, our figures beside the references' with the verdict. Plain data,
 * complete enough that Markdown, HTML and the terminal need nothing else.
 */
import type { HostFacts } from "../model/result/run-result.js";
import type { Degeneracy } from "./degenerate.js";
import type { EnvelopeJudgement } from "./envelope.js";
import type { RoundJudgement } from "./by-round.js";
import type { JudgedFigure } from "./figures.js";

/** The version of the validation format; rises when a reader of the old one would misread the new one. */
export const VALIDATION_VERSION = 1;

/**
 * Which rule decides: the ratios within rounds, what averages and their scatter over rounds say, or the published list and
 * edges. What the others say stands beside it.
 */
export type Policy = "by-round" | "measured" | "published";

/** What became of one metric of one axis for one of our builds. */
export type CellStatus = "inside" | "outside" | "noise" | "undecided" | "not-judged";

/** One subject's runs seen through one metric. */
export interface SubjectFigures {
  readonly subject: string;
  /** By round, null where a round has none. */
  readonly values: readonly (number | null)[];
  readonly average: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** What one envelope says of one metric of one axis for one of our builds. */
export interface EnvelopeVerdict {
  readonly status: CellStatus;
  /** By averages over rounds; null where there was nothing to judge. */
  readonly judgement: EnvelopeJudgement | null;
  /** By ratios within rounds; null where there was nothing to judge. */
  readonly byRound: RoundJudgement | null;
}

/** The verdict on one of our builds. */
export interface MetricVerdict extends EnvelopeVerdict {
  readonly subject: string;
  /** By the envelope of all references; null where these are the ones that span it anyway. */
  readonly allBuilds: EnvelopeVerdict | null;
}

/** One metric of an axis. */
export interface MetricValidation extends Pick<JudgedFigure, "id" | "label" | "unit" | "group"> {
  /** References first, then ours. */
  readonly subjects: readonly SubjectFigures[];
  /** One per build of ours. */
  readonly verdicts: readonly MetricVerdict[];
}

/** One axis. */
export interface AxisValidation {
  readonly name: string;
  readonly flags: string;
  readonly engineFlags: string;
  /** Rounds in which runs count, the most of any subject. */
  readonly rounds: number;
  readonly degeneracies: readonly Degeneracy[];
  /** How the axis had to be changed for this machine. */
  readonly notes: readonly string[];
  readonly metrics: readonly MetricValidation[];
}

/** A subject of a validation. */
export interface ValidatedSubject {
  readonly name: string;
  readonly role: "reference" | "ours";
  /** Program and flags of its own, or the engine's build. */
  readonly description: string;
}

/** What the machine code of one build showed. */
export interface CodeCheck {
  readonly subject: string;
  readonly ok: boolean;
  readonly summary: string;
}

/** A validation. */
export interface Validation {
  readonly format: "schbench-ts/validation";
  readonly version: typeof VALIDATION_VERSION;
  readonly startedAt: string;
  readonly policy: Policy;
  readonly subjects: readonly ValidatedSubject[];
  /** The references that span the envelope. */
  readonly envelope: readonly string[];
  readonly axes: readonly AxisValidation[];
  /** null: not looked at. */
  readonly code: readonly CodeCheck[] | null;
  readonly counts: Readonly<Record<CellStatus, number>>;
  /** The same by the envelope of all references; null where these are the ones that span it anyway. */
  readonly allBuilds: Readonly<Record<CellStatus, number>> | null;
  readonly outcome: "inside" | "outside" | "undecided";
  /** sched_ext schedulers seen in charge. */
  readonly schedulers: readonly string[];
  /** Runs left out, with the reason. */
  readonly leftOut: readonly string[];
  readonly host: HostFacts | null;
}
