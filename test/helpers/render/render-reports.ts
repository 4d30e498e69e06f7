/** One report of each kind, made of seeded results; and the same with hostile texts wherever a text comes from outside. */
import { compareSubjects } from "../../../src/compare/compare.js";
import { compareGrid } from "../../../src/compare/grid.js";
import { originOf } from "../../../src/render/comparison/grid-origin.js";
import type { ReportInput, ReportSubject } from "../../../src/render/reports/report-input.js";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { fakeExplanation } from "./render-explanation.js";
import { fakeRun } from "./render-results.js";
import { fakeValidation } from "./render-validation.js";

const RUNS = 6;
const START = Date.UTC(2026, 10, 28, 9);
const EVERY_MSEC = 13_000;

/** Two subjects that took turns; the second is a little slower and has a hiccup in its fourth run. */
export const twoSubjects = (names: readonly [string, string] = ["eevdf", "scx_rusty"]): readonly ReportSubject[] =>
  names.map((name, i) => ({
    name,
    runs: Array.from({ length: RUNS }, (_, round) => {
      const place = round * 2 + ((round + i) % 2);
      const startedAt = new Date(START + place * EVERY_MSEC).toISOString();
      return fakeRun(
        i === 0
          ? { seed: 100 + round, workers: 4, startedAt }
          : {
              seed: 200 + round,
              workers: 4,
              startedAt,
              requestUsec: 5060,
              requestScatter: 0.03,
              deepIdleShare: 0.2,
              schedExt: "scx_rusty",
              hiccupAtSec: round === 3 ? 4 : null,
            },
      );
    }),
    ...(i === 0
      ? {}
      : {
          surroundings: [
            ["set-up", "scx_rusty &"],
            ["tear-down", "kill %1"],
          ] as const,
        }),
  }));

const runReport: ReportInput = {
  kind: "run",
  runs: [
    fakeRun({
      seed: 1,
      seconds: 30,
      workers: 8,
      hiccupAtSec: 17,
      jobname: "eevdf, 8 workers",
      warnings: [
        {
          code: "steal-time",
          message: "the hypervisor gave 1.4 % of the CPU time to others",
          cure: "Measure on bare metal, or when the host is quiet.",
        },
      ],
    }),
  ],
};

const comparisonReport = (names?: readonly [string, string]): ReportInput => {
  const subjects = twoSubjects(names);
  return { kind: "comparison", subjects, comparison: compareSubjects(subjects, { resamples: 400 }) };
};

const sweepReport: ReportInput = {
  kind: "sweep",
  varied: ["t"],
  cells: [1, 2, 4, 8, 16, 32].map((threads, i) => ({
    values: [String(threads)],
    runs: [0, 1, 2].map((run) =>
      fakeRun({
        seed: 1000 + i * 10 + run,
        workers: Math.min(threads, 16),
        seconds: 3,
        requestUsec: 4900 * (threads > 8 ? threads / 8 : 1),
        wakeupUsec: 5 + (threads > 8 ? (threads - 8) * 4 : 0),
        deepIdleShare: threads > 8 ? 0.02 : 0.3,
      }),
    ),
  })),
  knees: ["request p99: knee between t=8 and t=16; flat at 5312µs until there, above 6640µs beyond."],
};

/** What the kernel saw of the workers: how often they moved. */
const moved = (run: RunResult, migrationsPerSec: number): RunResult => ({
  ...run,
  fingerprint: {
    observer: "engine",
    seconds: 2,
    requests: 400,
    traced: false,
    lostEvents: null,
    message: null,
    worker: {
      threads: 2,
      voluntarySwitchesPerRequest: 1,
      involuntarySwitchesPerRequest: 0,
      migrationsPerSec,
      minorFaults: 0,
      userUsecPerRequest: 900,
      systemUsecPerRequest: 10,
      instructionsPerRequest: null,
      cyclesPerRequest: null,
      wakeupsPerRequest: null,
      crossingShare: null,
      systemCallsPerRequest: null,
    },
    besideMessage: { atStart: null, mean: null, atEnd: null },
  },
});

const GRID_METRICS = ["wakeup-p99", "request-p50", "average-rps", "worker-migrations"] as const;

/** Two subjects under some settings: the second is slower under all but the first, and its workers move more under the last. */
export const gridReport = (
  names: readonly [string, string] = ["base", "patched"],
  values: readonly string[] = ["1", "4", "16"],
  finish = (run: RunResult): RunResult => run,
): ReportInput => {
  const cells = values.map((value, cell) => ({
    name: `t=${value}`,
    values: [value],
    subjects: names.map((name, subject) => ({
      name,
      runs: Array.from({ length: RUNS }, (_, run) =>
        finish(
          moved(
            fakeRun({
              seed: 5000 + cell * 100 + subject * 50 + run,
              seconds: 2,
              requestUsec: 4900 * (subject === 1 && cell > 0 ? 1.12 : 1),
              startedAt: new Date(START + (cell * 100 + run * 2 + subject) * EVERY_MSEC).toISOString(),
            }),
            (subject === 1 && cell === values.length - 1 ? 60 : 20) + run / 10,
          ),
        ),
      ),
    })),
  }));
  return {
    kind: "grid",
    cells,
    grid: compareGrid(["t"], cells, { metrics: GRID_METRICS, resamples: 400 }),
    origin: originOf([], null),
  };
};

const explainedReport = (comm?: string): ReportInput => ({
  kind: "run",
  title: "Explained",
  runs: [{ ...fakeRun({ seed: 5, seconds: 3 }), explanation: fakeExplanation(comm) }],
});

/** One report of each kind, by name. */
export const fakeReports = (): Readonly<Record<string, ReportInput>> => ({
  run: runReport,
  comparison: comparisonReport(),
  sweep: sweepReport,
  grid: gridReport(),
  validation: { kind: "validation", validation: fakeValidation(["native", "v8"]) },
  explained: explainedReport(),
});

/** Texts that would do harm if they got into the markup unescaped. */
export const HOSTILE = [
  "</script><script>alert(1)</script>",
  '" onload="alert(2)" x="',
  "<img src=x onerror=alert(3)>",
  "]]><!--",
  "&lt;b&gt; ' ` ${x} \\u003c",
  "\u202Egnp.exe\u0000\u0007",
] as const;

const hostileText = HOSTILE.join(" ");

const hostileRun = (run: RunResult): RunResult => ({
  ...run,
  jobname: hostileText,
  commandLine: ["schbench-ts", "-J", hostileText],
  host:
    run.host === null
      ? null
      : { ...run.host, hostname: hostileText, cpuModel: hostileText, schedExt: hostileText, kernel: hostileText },
  warnings: [{ code: "hostile", message: hostileText, cure: hostileText }],
});

/** The same reports with hostile job names, host names, subjects, commands, models, warnings and task names. */
export const hostileReports = (): Readonly<Record<string, ReportInput>> => {
  const [base, candidate] = twoSubjects([HOSTILE[0], hostileText]);
  const subjects = [base, candidate]
    .filter((subject) => subject !== undefined)
    .map((subject) => ({
      ...subject,
      runs: subject.runs.map(hostileRun),
      surroundings: [[hostileText, hostileText]] as const,
    }));
  return {
    run: { kind: "run", runs: [hostileRun(fakeRun({ seed: 1, seconds: 3 }))] },
    comparison: { kind: "comparison", subjects, comparison: compareSubjects(subjects, { resamples: 200 }) },
    sweep: {
      kind: "sweep",
      varied: [hostileText, "F"],
      cells: [0, 1, 2].map((i) => ({
        values: [`${hostileText} ${i}`, HOSTILE[0]],
        runs: [hostileRun(fakeRun({ seed: i, seconds: 2 }))],
      })),
      knees: [hostileText],
    },
    grid: gridReport([HOSTILE[0], hostileText], [hostileText, `2 ${HOSTILE[1]}`], hostileRun),
    validation: { kind: "validation", title: hostileText, validation: fakeValidation([hostileText]) },
    explained: explainedReport(hostileText),
  };
};
