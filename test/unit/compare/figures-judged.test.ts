/** Figures of the fingerprint, asked for by name, are judged as metrics are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareSubjects } from "../../../src/compare/compare.js";
import { judgeGate } from "../../../src/compare/gate.js";
import { compareGrid } from "../../../src/compare/grid.js";
import { FINGERPRINT_FIGURES } from "../../../src/model/metrics/fingerprint-figures.js";
import type { RoleFingerprint } from "../../../src/model/result/fingerprint.js";
import { isMetricId, METRICS, metricsNamed } from "../../../src/model/metrics/metrics.js";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { comparisonTable } from "../../../src/render/comparison/comparison-table.js";
import { headlines } from "../../../src/render/comparison/comparison-headline.js";
import { gridCsv } from "../../../src/render/comparison/grid-csv.js";
import { gridHeadlines } from "../../../src/render/comparison/grid-headline.js";
import { gridText, MAIL_COLUMNS } from "../../../src/render/comparison/grid-text.js";
import { originOf } from "../../../src/render/comparison/grid-origin.js";
import { compareSettings, gateOptions } from "../../../src/cli/options/judge-options.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

const WORKER: RoleFingerprint = {
  threads: 2,
  voluntarySwitchesPerRequest: 1,
  involuntarySwitchesPerRequest: 0.1,
  migrationsPerSec: 4,
  minorFaults: 10,
  userUsecPerRequest: 900,
  systemUsecPerRequest: 12,
  instructionsPerRequest: null,
  cyclesPerRequest: null,
  wakeupsPerRequest: null,
  crossingShare: null,
  systemCallsPerRequest: null,
};

let made = 0;

/** Ten runs of one subject, each with a time of its own; `more` says what its kernel saw. */
const runs = (more: (run: number) => Partial<RoleFingerprint>): readonly RunResult[] =>
  Array.from({ length: 10 }, (_, run) =>
    fakeResult(
      { requestUsec: [100 + run, 200 + run] },
      {
        startedAt: new Date(Date.UTC(2026, 0, 1, 0, made++)).toISOString(),
        fingerprint: {
          observer: "engine",
          seconds: 2,
          requests: 100,
          traced: false,
          lostEvents: null,
          message: null,
          worker: { ...WORKER, ...more(run) },
          besideMessage: { atStart: null, mean: null, atEnd: null },
        },
      },
    ),
  );

const METRICS_ASKED = ["worker-migrations", "worker-system-time", "worker-voluntary-switches"] as const;
const makeSubjects = () => [
  { name: "base", runs: runs((run) => ({ migrationsPerSec: 4 + run / 10, systemUsecPerRequest: 12 + run / 100 })) },
  { name: "new", runs: runs((run) => ({ migrationsPerSec: 40 + run / 10, systemUsecPerRequest: 20 + run / 100 })) },
];
const compared = compareSubjects(makeSubjects(), { metrics: METRICS_ASKED });
const verdictOf = (id: string) => compared.metrics.find((metric) => metric.id === id)?.pairs[0]?.verdict;

void test("every figure of the fingerprint is a metric, after the others, and none is shown unasked", () => {
  for (const { id } of FINGERPRINT_FIGURES) assert.ok(isMetricId(id), id);
  assert.deepEqual(
    metricsNamed(["worker-migrations", "sched-delay", "worker-voluntary-switches"]).map(({ id }) => id),
    ["sched-delay", "worker-voluntary-switches", "worker-migrations"],
  );
  assert.ok(METRICS.every(({ id }) => FINGERPRINT_FIGURES.every((figure) => figure.id !== id)));
});

void test("more migrations are a change and no loss; more time in the kernel is worse", () => {
  assert.deepEqual(verdictOf("worker-migrations"), { kind: "different", direction: "changed" });
  assert.deepEqual(verdictOf("worker-system-time"), { kind: "different", direction: "worse" });
  assert.equal(verdictOf("worker-voluntary-switches")?.kind, "not-shown");
  assert.deepEqual(headlines(compared), [
    "new differs from base: worse in worker system time +66.4%; changed in worker migrations +809%; the primary metric, request p99, shows no difference.",
  ]);
  const table = comparisonTable(compared, { colour: false, columns: 200 });
  assert.match(table, /worker migrations +neither +4\.45\/s .*\+809% .*changed/);
  assert.match(table, /worker system time +lower .*worse/);
});

void test("a figure near 0 differs only by more than its own floor, whatever the share", () => {
  const few = compareSubjects(
    [
      { name: "base", runs: runs((run) => ({ migrationsPerSec: 0.1 + run / 1000 })) },
      { name: "new", runs: runs((run) => ({ migrationsPerSec: 1 + run / 1000 })) },
    ],
    { metrics: ["worker-migrations"] },
  );
  const verdict = few.metrics.find(({ id }) => id === "worker-migrations")?.pairs[0]?.verdict;
  assert.deepEqual(verdict, { kind: "negligible", because: "noise-threshold" });
});

void test("a gate on worse looks past what is neither better nor worse; one on any difference does not", () => {
  const gate = (failOn: "worse" | "different") =>
    judgeGate(compared, { failOn, margin: null, metrics: ["worker-migrations", "worker-system-time"] }).rows.map(
      ({ metric, status }) => `${metric} ${status}`,
    );
  assert.deepEqual(gate("worse"), ["worker-system-time fail"]);
  assert.deepEqual(gate("different"), ["worker-system-time fail", "worker-migrations fail"].toReversed());
  const within = judgeGate(compared, { failOn: "different", margin: 0.5, metrics: ["worker-migrations"] });
  assert.equal(within.outcome, "fail");
});

void test("a gate that could never fail is refused, and a name that is none is mended", () => {
  const asked = {
    primary: null,
    metrics: "worker-migrations",
    threshold: null,
    blocks: null,
    check: true,
    failOn: null,
    bisect: false,
  } as const;
  assert.throws(() => gateOptions(asked), /cannot fail on worse with worker-migrations: neither more nor less/);
  assert.equal(gateOptions({ ...asked, failOn: "different" })?.failOn, "different");
  assert.equal(gateOptions({ ...asked, metrics: "worker-migrations,worker-user-time" })?.failOn, "worse");
  const ask = (metrics: string) => () => compareSettings({ ...asked, metrics }, 1);
  assert.throws(ask("worker-migration"), { remedy: "Did you mean worker-migrations?" });
  assert.throws(ask("migrations"), {
    remedy: "Did you mean message-migrations or worker-migrations?",
  });
});

void test("a grid shows figures in its text, its CSV and its sentence", () => {
  const grid = compareGrid(
    ["t"],
    ["1", "2"].map((value) => ({ name: `t=${value}`, values: [value], subjects: makeSubjects() })),
    { metrics: ["worker-migrations"] },
  );
  assert.match(gridHeadlines(grid)[0] ?? "", /^new against base: changed everywhere: worker migrations \+809%/);
  const text = gridText(grid, originOf([], null), { colour: false, columns: MAIL_COLUMNS });
  assert.match(text, /worker migrations \(per s, neither is better\)/);
  assert.match(gridCsv(grid), /worker-migrations,per s,neither,new,10,.*,changed/);
});
