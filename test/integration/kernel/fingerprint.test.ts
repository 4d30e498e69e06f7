/** `--fingerprint` of the command, in a process of its own: needs root and tracefs, else skipped with the reason. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { explainReadiness } from "../../../src/explain/trace/tracefs.js";
import { nodeTracefs } from "../../../src/explain/trace/tracefs-node.js";
import { DEED_EVENTS } from "../../../src/fingerprint/fingerprint-events.js";
import { startCommand } from "../../helpers/command.js";
import { checkResult, resultIn } from "../../helpers/run-invariants.js";

const { directory, missing } = explainReadiness(nodeTracefs(), DEED_EVENTS);
const skip = missing.length > 0 ? missing.map(({ what }) => what).join("; ") : false;

const run = async (...words: string[]) => {
  const command = startCommand([...words, "-j", "-"]);
  const finished = await command.finished;
  assert.ok(!existsSync(`${directory}/instances/schbench-ts-${command.pid}-fingerprint`), "the instance remains");
  return finished;
};

const near = (what: string, value: number | null | undefined, low: number, high: number) =>
  assert.ok((value ?? -1) >= low && (value ?? -1) <= high, `${what}: ${value} is not in ${low} to ${high}`);

for (const engine of ["native", "v8"] as const) {
  void test(
    `${engine}: a think time is one sleep a request, and a hand-over at most a futex call or two`,
    { skip },
    async () => {
      const flags = ["-m", "1", "-t", "2", "-n", "0", "-s", "10000", "-r", "2", "--fingerprint", "--engine", engine];
      const { code, stdout, stderr } = await run(...flags);
      assert.equal(code, 0, stderr);
      const { fingerprint } = checkResult(resultIn(stdout));
      assert.deepEqual([fingerprint?.traced, fingerprint?.lostEvents], [true, 0]);
      const worker = fingerprint?.worker;
      const calls = worker?.systemCallsPerRequest ?? {};
      near("sleeps", calls["clock_nanosleep"], 0.95, 1.05);
      near("futex calls of a worker", calls["futex"], 0.9, 2.1);
      near("futex calls of the message thread", fingerprint?.message?.systemCallsPerRequest?.["futex"], 0.9, 2.1);
      // Each request is a sleep and, mostly, a wait; what sleeps is woken.
      near("wakeups", worker?.wakeupsPerRequest, 0.95, 2.1);
      near(
        "wakeups by sleeps",
        (worker?.wakeupsPerRequest ?? 0) / (worker?.voluntarySwitchesPerRequest ?? 1),
        0.9,
        1.1,
      );
      near("crossing", worker?.crossingShare ?? 0, 0, 1);
    },
  );
}

void test("a storm is counted in bursts, loses nothing, and has its futex call a request", { skip }, async () => {
  const { code, stdout, stderr } = await run(..."-L -m 2 -t 8 -n 0 -s 0 -r 2 --fingerprint".split(" "));
  assert.equal(code, 0, stderr);
  const { fingerprint } = checkResult(resultIn(stdout));
  assert.equal(fingerprint?.lostEvents, 0);
  const calls = fingerprint?.worker?.systemCallsPerRequest ?? {};
  assert.ok((calls["futex"] ?? 0) > 0.8 && (calls["futex"] ?? 0) < 2.5, `${calls["futex"]} futex calls a request`);
  assert.ok((calls["clock_nanosleep"] ?? 0) < 0.05);
});

void test("what was in the warm-up does not count", { skip }, async () => {
  const { stdout, stderr } = await run(..."-m 1 -t 1 -n 0 -s 10000 -r 3 -w 2 --fingerprint".split(" "));
  const { fingerprint } = checkResult(resultIn(stdout));
  const sleeps = fingerprint?.worker?.systemCallsPerRequest?.["clock_nanosleep"] ?? 0;
  assert.ok(sleeps > 0.9 && sleeps < 1.1, `${sleeps} sleeps a request\n${stderr}`);
});

void test("without --fingerprint nothing is traced", async () => {
  const { stdout } = await run("-m", "1", "-t", "1", "-r", "1");
  const { fingerprint } = checkResult(resultIn(stdout));
  assert.deepEqual([fingerprint?.traced, fingerprint?.worker?.wakeupsPerRequest], [false, null]);
});
