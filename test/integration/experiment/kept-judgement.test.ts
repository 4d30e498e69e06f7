/** How an experiment is to be judged is kept with its runs, and every later command judges by it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fakeBench } from "../../helpers/fakes/fake-bench.js";

const bench = fakeBench();
after(() => bench.remove());
bench.fake("a");
bench.fake("b", { FAKE_SCALE: 1.2 });

const AB = ["--subject", "a={}/a", "--subject", "b={}/b", "--quiet", "--runs", "6"] as const;

const ab = (store: string, ...words: readonly string[]) =>
  bench.run("ab", [...AB, "-o", `{}/${store}`, ...words, "--", "-r", "1"]);

const judgedIn = (stdout: string): { readonly primary: unknown; readonly metrics: readonly unknown[] } => {
  const found: unknown = JSON.parse(stdout);
  assert.ok(typeof found === "object" && found !== null && "metrics" in found && Array.isArray(found.metrics));
  return {
    primary: "primaryMetric" in found ? found.primaryMetric : null,
    metrics: found.metrics.map((metric: { readonly id: unknown }) => metric.id),
  };
};

await ab("kept.ndjson", "--primary", "wakeup-p50", "--metrics", "request-p90", "--threshold", "50");
await ab("plain.ndjson");

void test("compare judges as the experiment was begun, says so, and shows the command that made the runs", async () => {
  const json = await bench.run("compare", ["{}/kept.ndjson", "--format", "json"]);
  assert.deepEqual(judgedIn(json.stdout), { primary: "wakeup-p50", metrics: ["wakeup-p50", "request-p90"] });
  assert.match(
    json.stderr,
    /judged as .*kept\.ndjson was begun: --primary wakeup-p50 --metrics request-p90 --threshold 50\n/,
  );
  const { stdout } = await bench.run("compare", ["{}/kept.ndjson"]);
  const [command = ""] = stdout.split("\n\n");
  assert.match(
    command.replaceAll("\n    ", " "),
    /^command: schbench-ts ab --subject a=\S+ --subject b=\S+ --runs 6 --primary wakeup-p50 --metrics request-p90 --threshold 50 -- -r 1$/,
  );
});

void test("each option overrides what was kept of it, and an experiment that keeps nothing is judged as usual", async () => {
  const { stdout } = await bench.run("compare", ["{}/kept.ndjson", "--primary", "request-p99", "--format", "json"]);
  assert.deepEqual(judgedIn(stdout), { primary: "request-p99", metrics: ["request-p90", "request-p99"] });
  const plain = await bench.run("compare", ["{}/plain.ndjson", "--format", "json"]);
  assert.equal(judgedIn(plain.stdout).primary, "request-p99");
  assert.equal(plain.stderr, "");
});

void test("the threshold that was kept is the margin of a gate", async () => {
  assert.equal((await bench.run("compare", ["{}/plain.ndjson", "--check"])).code, 2, "a fifth slower");
  assert.equal((await bench.run("compare", ["{}/kept.ndjson", "--check"])).code, 0, "and half was to pass");
  assert.equal((await bench.run("compare", ["{}/kept.ndjson", "--check", "--threshold", "1"])).code, 2);
});

void test("experiments that were begun to be judged in different ways are judged as usual, with a warning", async () => {
  const { stdout, stderr } = await bench.run("compare", ["x={}/kept.ndjson", "y={}/plain.ndjson", "--format", "json"]);
  assert.equal(judgedIn(stdout).primary, "request-p99");
  assert.match(
    stderr,
    /begun to be judged in different ways \(.*kept\.ndjson by --primary .*plain\.ndjson by the defaults\)/,
  );
});

void test("a command that goes on with the experiment judges as it was begun, or says that this time it does not", async () => {
  const store = join(bench.folder, "kept.ndjson");
  const before = readFileSync(store, "utf8");
  const again = await ab("kept.ndjson", "--format", "json");
  assert.equal(judgedIn(again.stdout).primary, "wakeup-p50");
  const other = await ab("kept.ndjson", "--primary", "wakeup-p99", "--format", "json");
  assert.equal(judgedIn(other.stdout).primary, "wakeup-p99");
  assert.match(other.stderr, /this time judged by --primary wakeup-p99 .*; the file keeps .*--primary wakeup-p50/);
  assert.equal(readFileSync(store, "utf8"), before);
});
