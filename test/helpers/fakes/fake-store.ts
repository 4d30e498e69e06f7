/** The files of experiments for tests: header, records, and the text that they make. */
import type { ExperimentHeader, RunRecord } from "../../../src/experiment/record.js";
import { type Cell, plainSubject, type Subject } from "../../../src/experiment/subject.js";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { fakeResult } from "./fake-result.js";

/** Our engine under a name. */
export const engineSubject = (name: string, more: Partial<Subject> = {}): Subject => ({
  ...plainSubject(name, { kind: "engine", node: null }),
  ...more,
});

/** An external subject. */
export const external = (name: string, more: Partial<Subject> = {}): Subject => ({
  ...plainSubject(name, { kind: "external", command: [`./${name}`] }),
  ...more,
});

/** A cell with one flag. */
export const cellNamed = (name: string, more: Partial<Cell> = {}): Cell => ({
  name,
  flags: [`-${name}`],
  engineFlags: [],
  runtimeSec: 1,
  rounds: null,
  ...more,
});

/** A small experiment: subjects a and b, one cell, two rounds, no warm-up. */
export const fakeHeader = (more: Partial<ExperimentHeader> = {}): ExperimentHeader => ({
  format: "schbench-ts/experiment",
  version: 1,
  kind: "ab",
  subjects: [external("a"), external("b")],
  cells: [cellNamed("x")],
  rounds: 2,
  warmupRounds: 0,
  seed: 1,
  startedAt: "2026-01-01T00:00:00.000Z",
  ...more,
});

/** A record of a run that went well. */
export const fakeRecord = (subject: string, cell: string, round: number, more: Partial<RunRecord> = {}): RunRecord => ({
  format: "schbench-ts/run",
  version: 1,
  slot: { subject, cell, round, order: 0 },
  startedAt: "2026-01-01T00:00:00.000Z",
  tookSec: 1,
  command: [subject],
  schedExt: { before: "disabled", after: "disabled" },
  excluded: null,
  result: fakeResult(),
  ...more,
});

/** A line of JSON for each value. */
export const jsonLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

/** The file of an experiment whose runs are all done: every subject in every cell, in turn. */
export const storeText = (
  more: Partial<ExperimentHeader>,
  runs: (subject: number, cell: number) => readonly RunResult[],
): string => {
  const header = fakeHeader({ rounds: Math.max(1, runs(0, 0).length), ...more });
  const rounds = Array.from({ length: header.rounds }, (_, index) => index + 1);
  const records = rounds.flatMap((round) =>
    header.cells.flatMap(({ name: cell }, c) =>
      header.subjects.flatMap(({ name }, s) => {
        const result = runs(s, c)[round - 1];
        return result === undefined
          ? []
          : [fakeRecord(name, cell, round, { result, slot: { subject: name, cell, round, order: s } })];
      }),
    ),
  );
  return jsonLines([header, ...records]);
};
