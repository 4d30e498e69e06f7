import assert from "node:assert/strict";
import { test } from "node:test";
import { hostFiles } from "../../../../src/platform/files.js";
import {
  meanRunDelayUsec,
  parseMigrations,
  parseSchedStat,
  parseStatus,
  parseAsleep,
  parseThreadStat,
  readThreadCounters,
} from "../../../../src/platform/threads/proc-thread.js";
import { filesOf } from "../machines.js";

void test("a schedstat is CPU time, run delay and times run", () => {
  assert.deepEqual(parseSchedStat("261474092 695318 45\n"), {
    cpuNsec: 261_474_092,
    runDelayNsec: 695_318,
    timesRun: 45,
  });
});

void test("a schedstat that is missing, damaged or all zeros is none", () => {
  for (const text of [null, "", "1 2", "a b c", "0 0 0\n"]) assert.equal(parseSchedStat(text), null);
});

void test("context switches are told apart and the mask is kept as written", () => {
  const text = "Cpus_allowed_list:\t0,2,8-11\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t7\n";
  assert.deepEqual(parseStatus(text), { voluntarySwitches: 150, involuntarySwitches: 7, allowedCpus: "0,2,8-11" });
  assert.deepEqual(parseStatus(null), { voluntarySwitches: null, involuntarySwitches: null, allowedCpus: null });
});

void test("migrations come from the sched file, whatever its columns", () => {
  assert.equal(
    parseMigrations("se.vruntime    :  1.5\nse.nr_migrations                             :                   12\n"),
    12,
  );
  assert.equal(parseMigrations("nr_switches : 4\n"), null);
  assert.equal(parseMigrations(null), null);
});

void test("a thread is read by its id, and what this kernel lacks is null", () => {
  const files = filesOf({
    "/proc/self/task/41/schedstat": "5 6 7\n",
    "/proc/self/task/41/stat":
      "41 (a (b) c) S 1 2 3 0 -1 4194368 70 0 0 0 110 120 0 0 20 0 1 0 5 6 7 8 0 0 0 0 0 0 0 0 0 0 0 0 -1 9 0 0\n",
    "/proc/self/task/41/status": "Cpus_allowed_list:\t1\nvoluntary_ctxt_switches:\t3\nnonvoluntary_ctxt_switches:\t0\n",
  });
  assert.deepEqual(readThreadCounters(files, 41), {
    schedStat: { cpuNsec: 5, runDelayNsec: 6, timesRun: 7 },
    stat: { minorFaults: 70, userTicks: 110, systemTicks: 120, cpu: 9 },
    voluntarySwitches: 3,
    involuntarySwitches: 0,
    allowedCpus: "1",
    migrations: null,
  });
  assert.equal(readThreadCounters(files, 42).schedStat, null);
});

void test("a stat file that is missing, cut off or something else is none", () => {
  for (const text of [null, "", "41 (x) S 1 2 3", "nonsense"]) assert.equal(parseThreadStat(text), null);
});

void test("a thread sleeps when its state is S, whatever its name says", () => {
  assert.equal(parseAsleep("41 (a) R (b) S 1 2 3\n"), true);
  for (const state of ["R", "D", "T", "Z"]) assert.equal(parseAsleep(`41 (x) S) ${state} 1 2 3\n`), false);
  for (const text of [null, "", "nonsense"]) assert.equal(parseAsleep(text), null);
});

void test("a thread of another process is read below that process", () => {
  const files = filesOf({ "/proc/7/task/8/schedstat": "5 6 7\n" });
  assert.equal(readThreadCounters(files, 8, "/proc/7/task").schedStat?.timesRun, 7);
});

void test("the main thread of this process can be read", () => {
  const counters = readThreadCounters(hostFiles, process.pid);
  assert.match(counters.allowedCpus ?? "", /^\d/u);
  assert.ok((counters.voluntarySwitches ?? -1) >= 0);
});

void test("the mean run delay is a mean of the threads' own means, and threads that never ran have no say", () => {
  const ran = { cpuNsec: 1, runDelayNsec: 20_000, timesRun: 10 };
  const rarely = { cpuNsec: 1, runDelayNsec: 4000, timesRun: 1 };
  assert.equal(meanRunDelayUsec([ran, rarely, null, { ...ran, timesRun: 0 }]), 3);
  assert.equal(meanRunDelayUsec([]), null);
  assert.equal(meanRunDelayUsec([null, { ...ran, timesRun: 0 }]), null);
});
