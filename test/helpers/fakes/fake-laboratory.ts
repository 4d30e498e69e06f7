/** A laboratory without a machine: what would run is written into a log. */
import assert from "node:assert/strict";
import type {
  Execution,
  Invocation,
  Laboratory,
  Place,
  SchedulerState,
  ShellCommand,
  ShellOutcome,
} from "../../../src/experiment/laboratory.js";
import type { RunRecord } from "../../../src/experiment/record.js";
import { fakeResult } from "./fake-result.js";

/** What a fake laboratory saw. */
export interface FakeLaboratory extends Laboratory {
  readonly log: string[];
  readonly stored: RunRecord[];
}

/** Answers that differ from "it went well". */
export interface FakeAnswers {
  readonly execute?: (invocation: Invocation) => Partial<Execution>;
  /** What keeps a program from being started. */
  readonly startFault?: (program: string) => unknown;
  readonly shell?: (command: ShellCommand) => Partial<ShellOutcome>;
  /** Where subjects with whereabouts run. */
  readonly place?: Place;
  readonly schedExt?: () => SchedulerState | null;
}

const WELL: Execution = {
  exitCode: 0,
  endedBy: null,
  timedOut: false,
  stdout: "",
  stderr: "fine",
  fingerprint: () => null,
};

/** A laboratory in which every program succeeds, unless told otherwise, and the clock goes on a second per look. */
export const fakeLaboratory = (answers: FakeAnswers = {}): FakeLaboratory => {
  const log: string[] = [];
  const stored: RunRecord[] = [];
  let now = Date.UTC(2026, 0, 1);
  return {
    log,
    stored,
    placeOf: ({ kind }) => answers.place ?? assert.fail(`no place of kind ${kind} in this test`),
    engineCommand: (node) => [node ?? "node", "bin.js"],
    execute: async (invocation) => {
      log.push(`run ${invocation.command.join(" ")}`);
      return { ...WELL, ...answers.execute?.(invocation) };
    },
    shellProgram: "/bin/sh",
    origin: () => ({ bootId: "boot-1", kernel: "6.18", hostname: "here", version: "0" }),
    startFault: async (program) => answers.startFault?.(program) ?? null,
    shell: async (command) => {
      log.push(`sh ${command.script}`);
      return { exitCode: 0, output: "", endLeftOvers: null, ...answers.shell?.(command) };
    },
    schedExt: async () => (answers.schedExt === undefined ? { name: "disabled", loads: 0 } : answers.schedExt()),
    nowMsec: () => (now += 1000),
    parse: () => [fakeResult()],
    append: async (record) => {
      stored.push(record);
    },
  };
};
