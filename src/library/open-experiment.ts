/** Experiments for a caller's program: the machinery behind `schbench-ts ab` and `sweep`, with a typed spec before it. */
import { UserError } from "../errors.js";
import { checkSubjects } from "../experiment/check-subjects.js";
import { type CompareOptions, compareSubjects } from "../compare/compare.js";
import type { Comparison } from "../compare/comparison.js";
import type { Laboratory } from "../experiment/laboratory.js";
import type { MetricId } from "../model/metrics/metrics.js";
import { type ExperimentHeader, measuredResults, type RunRecord } from "../experiment/record.js";
import { type ExperimentEvent, openSlots, runExperiment, subjectsOf } from "../experiment/runner.js";
import { schedule } from "../experiment/schedule.js";
import { openStore } from "../experiment/store.js";
import { storeFiles } from "../laboratory/here/store-files.js";
import { summarizeSweep, type Sweep } from "../compare/sweep.js";
import type { RunResult } from "../model/result/run-result.js";
import { type ExperimentSpec, headerOf } from "./experiment-spec.js";
import { machineLaboratory } from "../laboratory/machine-laboratory.js";

/** How to open an experiment. */
export interface ExperimentSettings {
  /**
   * Where runs are kept as they land, one line of JSON each; an experiment whose file is there already goes on. Left out:
   * in memory only.
   */
  readonly file?: string | undefined;
}

/** How to conduct an experiment. */
export interface ConductSettings {
  /** Aborted: the run in progress is dropped, tear-downs are done. */
  readonly signal?: AbortSignal | undefined;
  /** Told what happens. */
  readonly onEvent?: ((event: ExperimentEvent) => void) | undefined;
}

/** An experiment that is open. */
export interface Experiment {
  /** What is planned: subjects, cells (one per combination of what is varied), rounds. */
  readonly header: ExperimentHeader;
  /** How many runs are still to do. */
  readonly remaining: () => number;
  /**
   * Makes the runs that are still to do, in seeded random order, each kept before the next begins.
   *
   * @throws UserError while another process writes to the file, before the first run for a subject that could not be run, after the first run that fails, and when a set-up or tear-down fails; calling again goes on
   */
  readonly run: (settings?: ConductSettings) => Promise<"done" | "interrupted">;
  /** Every run so far, in the order of landing, warm-up and failed ones included. */
  readonly records: () => readonly RunRecord[];
  /**
   * Results of the measured runs of a subject, in the order of rounds.
   *
   * @param cell name of a combination, such as `workerThreads=4`; default: the first
   * @throws UserError for a name that the experiment does not have
   */
  readonly results: (subject: string, cell?: string) => readonly RunResult[];
  /**
   * Every subject compared with the first.
   *
   * @param cell as in `results`
   * @throws UserError for a single subject, and for one without a run that counts
   */
  readonly compare: (options?: CompareOptions, cell?: string) => Comparison;
  /**
   * Per metric a value for each combination, and the knee of the tail latencies.
   *
   * @param metrics only these; default: all that the runs have
   */
  readonly sweep: (metrics?: readonly MetricId[]) => Sweep;
}

/** The settings of a cell's name, such as `workerThreads=4 footprintKib=256`. */
const valuesIn = (cell: string, part: 0 | 1): readonly string[] =>
  cell.split(" ").map((setting) => setting.split("=", 2).at(part) ?? "");

const checkKnown = (what: string, name: string, known: readonly { readonly name: string }[]): void => {
  if (!known.some((one) => one.name === name))
    throw new UserError(
      `the experiment has no ${what} "${name}": allowed is one of ${known.map((one) => one.name).join(", ")}`,
    );
};

const keptIn = async (file: string | undefined, header: ExperimentHeader) => {
  if (file === undefined)
    return { header, records: [], append: async () => undefined, alone: <T>(work: () => Promise<T>) => work() };
  return openStore(file, header, storeFiles);
};

/** Opens an experiment in a given world. */
export const openExperimentIn = async (
  world: Omit<Laboratory, "append">,
  spec: ExperimentSpec,
  settings: ExperimentSettings = {},
): Promise<Experiment> => {
  const kept = await keptIn(settings.file, headerOf(spec, new Date()));
  const { header } = kept;
  const records: RunRecord[] = [...kept.records];
  const lab: Laboratory = {
    ...world,
    append: async (record) => {
      await kept.append(record);
      records.push(record);
    },
  };
  const slots = schedule(header);
  const results = (subject: string, cell = header.cells[0]?.name ?? ""): readonly RunResult[] => {
    checkKnown("subject", subject, header.subjects);
    checkKnown("cell", cell, header.cells);
    return measuredResults(records, subject, cell);
  };
  return {
    header,
    remaining: () => openSlots(slots, records).length,
    run: async ({ signal = new AbortController().signal, onEvent } = {}) => {
      let outcome: "done" | "interrupted" = "done";
      await checkSubjects(subjectsOf(header, openSlots(slots, records)), header.cells, lab, signal);
      await kept.alone(async () => {
        for await (const event of runExperiment(header, records, lab, signal, slots)) {
          if (event.kind === "interrupted" || event.kind === "later") outcome = "interrupted";
          onEvent?.(event);
        }
      });
      return outcome;
    },
    records: () => [...records],
    results,
    compare: (options, cell) =>
      compareSubjects(
        header.subjects.map(({ name }) => ({ name, runs: results(name, cell) })),
        options,
      ),
    sweep: (metrics) =>
      summarizeSweep(
        valuesIn(header.cells[0]?.name ?? "", 0),
        header.subjects.flatMap(({ name: subject }) =>
          header.cells.map((cell) => ({
            subject,
            values: valuesIn(cell.name, 1),
            runs: results(subject, cell.name),
          })),
        ),
        metrics,
      ),
  };
};

/**
 * Opens an experiment: subjects run in turn under the same workload, the order shuffled by a seed, so that what is compared
 * is close in time and drift hits all alike.
 *
 * @throws UsageError for wrong settings of any run in it, UserError when the file holds another experiment
 */
export const openExperiment = (spec: ExperimentSpec, settings: ExperimentSettings = {}): Promise<Experiment> =>
  openExperimentIn(machineLaboratory, spec, settings);
