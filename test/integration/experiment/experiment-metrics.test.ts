/** `--metrics`: which metrics the commands judge and show. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fakeBench } from "../../helpers/fakes/fake-bench.js";

const bench = fakeBench();
after(() => bench.remove());
bench.fake("a");
bench.fake("b", { FAKE_SCALE: 1.1 });

const AB = ["--subject", "a={}/a", "--subject", "b={}/b", "-o", "{}/e.ndjson", "--quiet"] as const;

const metricsIn = (stdout: string): readonly unknown[] => {
  const found: unknown = JSON.parse(stdout);
  assert.ok(typeof found === "object" && found !== null && "metrics" in found && Array.isArray(found.metrics));
  return found.metrics.map((metric: { readonly id: unknown }) => metric.id);
};

void test("ab judges the metrics that are named, and the primary one, in the order of the table", async () => {
  const { stdout, stderr } = await bench.run("ab", [
    ...AB,
    "--metrics",
    "wakeup-p99, average-rps,wakeup-p50",
    "--format",
    "json",
    "--",
    "-r",
    "1",
  ]);
  assert.deepEqual(metricsIn(stdout), ["wakeup-p50", "wakeup-p99", "request-p99", "average-rps"]);
  assert.equal(stderr, "");
});

void test("compare judges a stored experiment by other metrics, and says which of them no run has", async () => {
  const { stdout, stderr } = await bench.run("compare", [
    "{}/e.ndjson",
    "--primary",
    "wakeup-p50",
    "--metrics",
    "response-p99,wakeup-p90",
    "--format",
    "json",
  ]);
  assert.deepEqual(metricsIn(stdout), ["wakeup-p50", "wakeup-p90"]);
  assert.equal(stderr, "schbench-ts: no run has the metric response-p99\n");
});

void test("sweep shows the metrics that are named, and the knees of those alone", async () => {
  const words = ["--vary", "n=1,2,5..20", "--runs", "2", "-o", "{}/s.ndjson", "--quiet", "--metrics"] as const;
  const json = await bench.run("sweep", [...words, "average-rps,request-p99", "--format", "json", "--", "-r", "1"]);
  assert.deepEqual(metricsIn(json.stdout), ["request-p99", "average-rps"]);
  const text = await bench.run("sweep", [...words, "average-rps", "--", "-r", "1"]);
  assert.doesNotMatch(text.stdout, /knee|p99/);
  assert.match(text.stdout, /^average rps \(higher is better\)$/m);
});

for (const command of ["ab", "compare", "sweep"] as const)
  void test(`${command} refuses a name that is no metric, and says which was meant`, async () => {
    const words = { ab: AB, compare: ["{}/e.ndjson"], sweep: ["--vary", "n=1"] }[command];
    const { code, stderr } = await bench.run(command, [...words, "--metrics", "wakeup-p50,request-p999"]);
    assert.equal(code, 1);
    assert.match(stderr, /unknown metric "request-p999" for --metrics: allowed is one of wakeup-p50, /);
    assert.match(stderr, /\nDid you mean request-p\d+\?\n$/);
  });
