/** The table of figures: what reads a fingerprint by name. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOutput } from "../../../../src/parse/parse-output.js";
import { figureOf, FINGERPRINT_FIGURES, isFigureId } from "../../../../src/model/metrics/fingerprint-figures.js";
import { fingerprint, type Fingerprint, type RoleFingerprint } from "../../../../src/model/result/fingerprint.js";
import { METRICS } from "../../../../src/model/metrics/metrics.js";
import { schbenchJson } from "../../../../src/text/schbench-json.js";
import { fakeResult } from "../../../helpers/fakes/fake-result.js";

const role = (first: number): RoleFingerprint => ({
  threads: 1,
  voluntarySwitchesPerRequest: first,
  involuntarySwitchesPerRequest: first + 1,
  migrationsPerSec: first + 2,
  minorFaults: first + 3,
  userUsecPerRequest: first + 4,
  systemUsecPerRequest: first + 5,
  instructionsPerRequest: first + 6,
  cyclesPerRequest: first + 7,
  wakeupsPerRequest: first + 8,
  crossingShare: first / 100,
  systemCallsPerRequest: { futex: first + 10, clock_nanosleep: first + 11, nanosleep: first + 12, read: 0.5 },
});

const seen: Fingerprint = {
  observer: "engine",
  seconds: 2,
  requests: 100,
  traced: true,
  lostEvents: 0,
  message: role(10),
  worker: role(40),
  besideMessage: { atStart: 0.1, mean: 0.2, atEnd: 0.3 },
  createdByMessage: 0.9,
};

/** The figures of `role(first)`, in the order of the table. */
const expected = (first: number) => [
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((step) => first + step),
  first / 100,
  3 * first + 33.5,
  first + 10,
  2 * first + 23,
];

void test("every figure reads its own place of a fingerprint", () => {
  const result = fakeResult({}, { fingerprint: fingerprint.parse(seen) });
  const values = Object.fromEntries(FINGERPRINT_FIGURES.map((figure) => [figure.id, figure.read(result)]));
  assert.deepEqual(Object.values(values), [...expected(10), ...expected(40), 0.9, 0.1, 0.2, 0.3]);
});

void test("a figure is null where nobody watched, where a role is missing, and where calls were not traced", () => {
  for (const figure of FINGERPRINT_FIGURES) assert.equal(figure.read(fakeResult()), null, figure.id);
  const untraced = fakeResult(
    {},
    { fingerprint: { ...seen, message: null, worker: { ...role(40), systemCallsPerRequest: null } } },
  );
  assert.equal(figureOf("message-voluntary-switches").read(untraced), null);
  assert.equal(figureOf("worker-futex-calls").read(untraced), null);
  assert.equal(figureOf("worker-system-calls").read(untraced), null);
  assert.equal(figureOf("worker-voluntary-switches").read(untraced), 40);
});

void test("a kind of call that was traced and never seen is 0, not unknown", () => {
  const quiet = fakeResult({}, { fingerprint: { ...seen, worker: { ...role(40), systemCallsPerRequest: {} } } });
  assert.equal(figureOf("worker-sleep-calls").read(quiet), 0);
});

void test("the names of figures are unique, and none is the name of a metric", () => {
  const ids = [...FINGERPRINT_FIGURES.map(({ id }) => id), ...METRICS.map(({ id }) => id)];
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(isFigureId("worker-futex-calls") && !isFigureId("wakeup-p99"));
});

void test("a result written before there were fingerprints is still read", () => {
  const { fingerprint: _, ...older } = fakeResult();
  const text = schbenchJson(fakeResult()).replace(/"schbench_ts":.*$/, `"schbench_ts":${JSON.stringify(older)}}`);
  assert.equal(parseOutput(text, { file: "older" })[0]?.fingerprint, null);
});
