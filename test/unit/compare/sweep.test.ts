import assert from "node:assert/strict";
import { test } from "node:test";
import { summarizeSweep, type SweptRuns } from "../../../src/compare/sweep.js";
import { kneeLines, sweepMarkdown, sweepText } from "../../../src/render/comparison/sweep-text.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

const point = (subject: string, values: readonly string[], ...usec: readonly number[]): SweptRuns => ({
  subject,
  values,
  runs: usec.map((value) => fakeResult({ wakeupUsec: [value], requestUsec: [100] })),
});
const curve = [
  point("s", ["1"], 100, 102, 104),
  point("s", ["2"], 101),
  point("s", ["4"], 99),
  point("s", ["8"], 300),
  point("s", ["16"], 900),
];

void test("a point has the median of its runs and their range", () => {
  const wakeup = summarizeSweep(["t"], curve).metrics.find(({ id }) => id === "wakeup-p99");
  assert.deepEqual(wakeup?.points[0], { subject: "s", values: ["1"], median: 102, min: 100, max: 104, runs: 3 });
});

void test("the knee is named along the first option", () => {
  const lines = kneeLines(summarizeSweep(["t"], curve));
  assert.match(
    lines[0] ?? "",
    /^wakeup p99: knee between t=4 and t=8; flat at 101µs until there, above 126µs beyond\.$/,
  );
  assert.match(lines[1] ?? "", /^request p99: no knee; flat at 100µs over all values of t\.$/);
});

void test("settings behind the knee at which the latency falls back are named", () => {
  const [line] = kneeLines(summarizeSweep(["t"], [...curve, point("s", ["32"], 101)]));
  assert.match(
    line ?? "",
    /: knee between t=4 and t=8; flat at 101µs until there, above 126µs beyond, but not at t=32\.$/,
  );
});

void test("each value of a second option, and each subject, has a knee of its own", () => {
  const both = ["64", "256"].flatMap((footprint) =>
    ["a", "b"].flatMap((subject) => ["1", "2", "4"].map((t) => point(subject, [t, footprint], 10))),
  );
  const lines = kneeLines(summarizeSweep(["t", "F"], both)).filter((line) => line.startsWith("wakeup"));
  assert.equal(lines.length, 4);
  assert.match(lines[3] ?? "", /^wakeup p99 \(b, F=256\): no knee/);
});

void test("values that are no numbers have no knee", () => {
  const sweep = summarizeSweep(["pacing"], [point("s", ["paced"], 1), point("s", ["burst"], 2)]);
  assert.deepEqual(kneeLines(sweep), []);
});

void test("two values are too few for a knee, and that is said", () => {
  assert.match(kneeLines(summarizeSweep(["t"], curve.slice(0, 2)))[0] ?? "", /2 values of t are too few for a knee/);
});

void test("tables have the first option down and the others across", () => {
  const sweep = summarizeSweep(
    ["t", "F"],
    [point("s", ["1", "64"], 10), point("s", ["1", "256"], 20), point("s", ["2", "64"], 30), point("s", ["2", "256"])],
  );
  const table = sweepText(sweep)
    .split("\n\n")
    .find((block) => block.startsWith("wakeup p50"));
  assert.equal(table, "wakeup p50 (lower is better)\nt  F=64  F=256\n1  10µs   20µs\n2  30µs      -");
  assert.match(sweepMarkdown(sweep), /### wakeup p50 \(lower is better\)\n\n\| t \| F=64 \| F=256 \|\n\| ---: \|/);
});
