import assert from "node:assert/strict";
import { test } from "node:test";
import type { Watch } from "../../../src/experiment/laboratory.js";
import { execute } from "../../../src/laboratory/here/execute.js";
import { machineLaboratory } from "../../../src/laboratory/machine-laboratory.js";

const run = (flags: string, watch: Watch | null) =>
  execute({
    command: [...machineLaboratory.engineCommand(null), ...flags.split(" "), "-j", "-"],
    env: {},
    timeoutMsec: 60_000,
    watch,
    signal: new AbortController().signal,
  });

void test("the threads of any program with their names are watched from outside: a worker sleeps twice a request", async () => {
  const { stdout, fingerprint } = await run("-m 1 -t 2 -r 2 -n 0 -s 2000", { runtimeSec: 2, traced: false });
  const { averageRps } = JSON.parse(stdout).schbench_ts;
  const seen = fingerprint({ perSec: averageRps, of: "all-workers" });
  assert.equal(seen?.message?.threads, 1);
  assert.equal(seen?.worker?.threads, 2);
  // Once for the think time, once until the message thread has woken it.
  const switches = seen?.worker?.voluntarySwitchesPerRequest ?? 0;
  assert.ok(switches > 1.2 && switches < 2.5, `${switches}`);
});

void test("a program that ends before its time has no fingerprint, and one that is not watched neither", async () => {
  const early = await run("-m 1 -t 1 -r 1", { runtimeSec: 30, traced: false });
  assert.equal(early.fingerprint({ perSec: 1, of: "all-workers" }), null);
  const unwatched = await run("-m 1 -t 1 -r 1", null);
  assert.equal(unwatched.fingerprint({ perSec: 1, of: "all-workers" }), null);
});
