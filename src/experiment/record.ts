/**
 * The format of an experiment's file: a header line, then one line for each run as it landed (NDJSON). The schema is
 * the one source of the types. No upstream counterpart.
 */
import { z } from "zod";
import { type RunResult, runResult } from "../model/result/run-result.js";
import { runOrigin } from "../model/result/run-origin.js";
import { judgement } from "./judgement.js";
import { cell, subject } from "./subject.js";

/** The version of both line formats; rises when a reader of the old one would misread the new one. */
export const EXPERIMENT_VERSION = 1;

/** What is read of every run's threads from outside. */
const observation = z.enum(["counters", "counters-and-trace"]);

/** The first line of an experiment's file: what was planned. */
export const experimentHeader = z.object({
  format: z.literal("schbench-ts/experiment"),
  version: z.literal(EXPERIMENT_VERSION),
  kind: z.enum(["ab", "sweep", "validate"]),
  subjects: z.array(subject).min(1),
  cells: z.array(cell).min(1),
  rounds: z.number().int().positive(),
  warmupRounds: z
    .number()
    .int()
    .nonnegative()
    .describe("runs of each subject, first cell only, that are left out; where there are boots, of each boot"),
  runsPerBoot: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("rounds that a subject makes in one boot of its place, directly after each other; left out: no boots"),
  seed: z.number().int(),
  judgement: judgement
    .optional()
    .describe("how its runs are judged, as long as a later command does not say otherwise; left out: as usual"),
  startedAt: z.string().describe("ISO 8601"),
  watch: observation.optional().describe("what is read of every run's threads from outside; left out: nothing"),
});

/** Where a run stands in the experiment. Round 0 and below are warm-up; `order` counts within the round, or the boot, from 0. */
const slot = z.object({
  subject: z.string(),
  cell: z.string(),
  round: z.number().int(),
  order: z.number().int().nonnegative(),
});

/** Why a run is left out of the judgement. */
const exclusion = z.object({
  code: z.enum(["warm-up", "sched-ext-changed", "failed"]),
  message: z.string(),
});

/** One run, as it landed. */
export const runRecord = z.object({
  format: z.literal("schbench-ts/run"),
  version: z.literal(EXPERIMENT_VERSION),
  slot,
  startedAt: z.string().describe("ISO 8601"),
  tookSec: z.number().nonnegative().describe("with set-up and tear-down"),
  command: z.array(z.string()),
  schedExt: z.object({ before: z.string().nullable(), after: z.string().nullable() }),
  excluded: exclusion.nullable(),
  origin: runOrigin.optional().describe("where it was made; left out by older versions"),
  result: runResult.nullable().describe("null only when the run failed"),
});

export type ExperimentHeader = z.infer<typeof experimentHeader>;

export type Observation = z.infer<typeof observation>;
export type Slot = z.infer<typeof slot>;
export type Exclusion = z.infer<typeof exclusion>;
export type RunRecord = z.infer<typeof runRecord>;

/** The record whose result says itself where it was made: it will be judged apart from the record. */
export const withOrigin = (record: RunRecord): RunRecord =>
  record.origin === undefined || record.result === null
    ? record
    : { ...record, result: { ...record.result, origin: record.origin } };

/** The record of a run on a machine that the experiment has a name for. */
export const madeOn = (record: RunRecord, machine: string): RunRecord =>
  record.origin === undefined ? record : withOrigin({ ...record, origin: { ...record.origin, machine } });

/** What an experiment reads of its runs' threads; a validation of an older version left it out and read the counters. */
export const observationOf = ({ watch, kind }: Pick<ExperimentHeader, "watch" | "kind">): Observation | null =>
  watch ?? (kind === "validate" ? "counters" : null);

/** Whether two slots are the same run; the order within the round follows from the seed. */
export const sameSlot = (a: Slot, b: Slot): boolean =>
  a.subject === b.subject && a.cell === b.cell && a.round === b.round;

/** Whether a stored record settles its slot; a failed run is repeated. */
export const settles = (record: RunRecord): boolean => record.excluded?.code !== "failed";

const recordsOf = (records: readonly RunRecord[], subjectName: string, cellName: string): readonly RunRecord[] =>
  records.filter((record) => record.slot.subject === subjectName && record.slot.cell === cellName);

/** Results of the measured runs of one subject in one cell, by round; null for a round without one that counts. */
export const resultsByRound = (
  records: readonly RunRecord[],
  subjectName: string,
  cellName: string,
): readonly (RunResult | null)[] => {
  const kept = recordsOf(records, subjectName, cellName).filter((record) => record.excluded === null);
  // The first run of a round counts.
  const byRound = new Map(kept.toReversed().map(({ slot: { round }, result }) => [round, result]));
  const last = kept.reduce((most, { slot: { round } }) => Math.max(most, round), 0);
  return Array.from({ length: last }, (_, index) => byRound.get(index + 1) ?? null);
};

/**
 * Results of all measured runs of one subject in one cell, in the order of the rounds; with those during which the
 * scheduler changed, which the comparison recognises by their environment and counts as left out.
 */
export const measuredResults = (
  records: readonly RunRecord[],
  subjectName: string,
  cellName: string,
): readonly RunResult[] =>
  recordsOf(records, subjectName, cellName)
    .filter((record) => record.slot.round >= 1)
    .toSorted((a, b) => a.slot.round - b.slot.round)
    .flatMap((record) => (record.result === null ? [] : [record.result]));
