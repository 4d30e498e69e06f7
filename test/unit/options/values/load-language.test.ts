import assert from "node:assert/strict";
import test from "node:test";
import { UsageError } from "../../../../src/errors.js";
import type { LoadPlan } from "../../../../src/model/plan/load-plan.js";
import { parseCommandLine } from "../../../../src/options/line/command-line.js";
import { loadText, loadThreads, readLoad } from "../../../../src/options/values/load-language.js";
import { resolveRun } from "../../../../src/options/run/run-options.js";
import { runArgv } from "../../../../src/options/run/run-argv.js";
import { runOptions } from "../../../../src/options/run/run-table.js";
import { UnknownNameError } from "../../../../src/options/values/unknown-name.js";
import { GRANTS_ALL } from "../../../helpers/fakes/grants-all.js";

const here = {
  allowedCpus: [0, 1],
  refusalOf: (cpu: number) => (cpu <= 1 ? null : { reason: `there is no CPU ${cpu}`, remedy: "Name others." }),
  ...GRANTS_ALL,
};
const planOf = (...argv: readonly string[]) =>
  resolveRun(parseCommandLine(["-t", "1", ...argv], runOptions).options, here).plan;

const LOADS: readonly (readonly [string, LoadPlan, number])[] = [
  ["spin:4", { kind: "spin", threads: 4 }, 4],
  ["duty:2:300/1000", { kind: "duty", threads: 2, busyUsec: 300, periodUsec: 1000 }, 2],
  ["duty:1:1000/1000", { kind: "duty", threads: 1, busyUsec: 1000, periodUsec: 1000 }, 1],
  ["wake:3", { kind: "wake", pairs: 3 }, 6],
  ["memory:1", { kind: "memory", threads: 1 }, 1],
  ["stress-ng --cpu 2", { kind: "command", command: "stress-ng --cpu 2" }, 0],
  ["true", { kind: "command", command: "true" }, 0],
  ["sh -c 'while :; do :; done'", { kind: "command", command: "sh -c 'while :; do :; done'" }, 0],
  ["./spin:4", { kind: "command", command: "./spin:4" }, 0],
];

for (const [text, load, threads] of LOADS)
  test(`--load "${text}" is read, and written as it was`, () => {
    assert.deepEqual(readLoad(text), load);
    assert.equal(loadText(load), text);
    assert.equal(loadThreads(load), threads);
  });

for (const text of [
  "spin",
  "spin:",
  "spin:0",
  "spin:-1",
  "spin:1.5",
  "spin:4097",
  "wake:0",
  "memory:x",
  "duty:2",
  "duty:2:0/10",
  "duty:2:11/10",
  "duty:0:1/10",
  "duty:2:1/60000001",
])
  test(`--load "${text}" is refused in one line that says what is allowed, with an example`, () => {
    assert.throws(
      () => readLoad(text),
      (error) => {
        assert.ok(error instanceof UsageError);
        assert.match(
          error.message,
          /^invalid value ".*" for --load: allowed is (spin|duty|wake|memory):N.*from 1 to 4096/,
        );
        assert.match(error.remedy ?? "", /^For example --load (spin|duty|wake|memory):\d/);
        return true;
      },
    );
  });

test("a load that does not exist is refused, and the nearest one is known", () => {
  assert.throws(
    () => readLoad("spn:4"),
    (error) => {
      assert.ok(error instanceof UnknownNameError);
      assert.match(error.message, /^unknown load "spn" in --load "spn:4": allowed are spin:N, .*, none, or a command$/);
      assert.deepEqual(error.known, ["spin", "duty", "wake", "memory"]);
      return true;
    },
  );
  assert.throws(() => readLoad("sh -c 'oops"), /a quote is not closed/);
});

test("a plan has loads only where some are asked for", () => {
  assert.ok(!("loads" in planOf()));
  assert.ok(!("loads" in planOf("--load", "none", "--load-cpus", "0")));
  assert.deepEqual(planOf("--load", "spin:1", "--load", "sleep 9", "--load-cpus", "0-1"), {
    ...planOf(),
    loads: [
      { kind: "spin", threads: 1 },
      { kind: "command", command: "sleep 9" },
    ],
    loadCpus: [0, 1],
  });
});

test("the command line of a plan makes the same plan, loads included", () => {
  const plan = planOf("--load", "duty:2:300/1000", "--load", "sh -c 'sleep 9'", "--load-cpus", "1");
  assert.deepEqual(planOf(...runArgv(plan)), plan);
});

test("a place without a load, and a CPU that there is not, are refused", () => {
  assert.throws(() => planOf("--load-cpus", "0"), /cannot place loads \(--load-cpus "0"\): there are none/);
  assert.throws(() => planOf("--load", "spin:1", "--load-cpus", "7"), /cannot pin load threads to CPUs "7"/);
});
