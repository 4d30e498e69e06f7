/** What the trace counted of threads, as figures of roles. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { roleFigures } from "../../../src/fingerprint/role-figures.js";
import { systemCallName } from "../../../src/fingerprint/system-calls.js";
import { createTally } from "../../../src/fingerprint/tally.js";
import { type RoledThread, tracedFingerprint } from "../../../src/fingerprint/traced-roles.js";
import type { Fingerprint } from "../../../src/model/result/fingerprint.js";

const FUTEX = 202;
const THREADS: readonly RoledThread[] = [
  { tid: 1, role: "message" },
  { tid: 2, role: "worker" },
  { tid: 3, role: "worker" },
];
const deed = {
  voluntarySwitches: 20,
  involuntarySwitches: 0,
  migrations: null,
  minorFaults: 0,
  cpuUsec: 0,
  userTicks: 0,
  systemTicks: 0,
  instructions: null,
  cycles: null,
};
const span = { requests: 20, seconds: 2 };
const seen: Fingerprint = {
  observer: "engine",
  ...span,
  traced: false,
  lostEvents: null,
  message: roleFigures([deed], span),
  worker: roleFigures([deed, deed], span),
  besideMessage: { atStart: null, mean: null, atEnd: null },
};

const counted = () => {
  const tally = createTally();
  for (const tid of [2, 3]) {
    const thread = tally.of(tid);
    Object.assign(thread, { wakeups: 10, voluntarySwitches: 10, migrations: 4 });
    thread.calls.set(FUTEX, 30);
    thread.wokenBy.set(1, { handedOver: 8, crossed: 2 });
    thread.wokenBy.set(999, { handedOver: 1, crossed: 1 });
  }
  return { threads: tally.all(), lostEvents: 0, isSample: false };
};

void test("counts are summed over the threads of a role; wakeups by strangers hand nothing over", () => {
  const { worker, message, traced } = tracedFingerprint(seen, counted(), THREADS, span, "x64");
  assert.equal(traced, true);
  assert.deepEqual([worker?.wakeupsPerRequest, worker?.crossingShare, worker?.migrationsPerSec], [1, 0.25, 4]);
  assert.deepEqual(worker?.systemCallsPerRequest, { futex: 3 });
  assert.deepEqual([message?.wakeupsPerRequest, message?.systemCallsPerRequest], [0, {}]);
});

void test("what was recorded in bursts is divided by the requests that the workers' sleeps stand for", () => {
  // The whole run has two sleeps a request, the bursts have 20: they saw ten requests.
  const { worker } = tracedFingerprint(seen, { ...counted(), isSample: true }, THREADS, span, "x64");
  assert.deepEqual([worker?.wakeupsPerRequest, worker?.systemCallsPerRequest], [2, { futex: 6 }]);
  assert.equal(worker?.migrationsPerSec, null);
  assert.equal(worker?.voluntarySwitchesPerRequest, 2);
});

void test("where events were lost the traced figures stay unknown, and the loss is told", () => {
  const lossy = tracedFingerprint(seen, { ...counted(), lostEvents: 3 }, THREADS, span, "x64");
  assert.deepEqual(lossy, { ...seen, traced: true, lostEvents: 3 });
});

void test("system calls have the kernel's names on both machines, and a new one its number", () => {
  assert.deepEqual(
    [0, 202, 230, 309, 334, 435, 9999].map((number) => systemCallName(number, "x64")),
    ["read", "futex", "clock_nanosleep", "getcpu", "rseq", "clone3", "call-9999"],
  );
  assert.deepEqual(
    [63, 98, 115, 168, 264, 291, 293, 435].map((number) => systemCallName(number, "arm64")),
    ["read", "futex", "clock_nanosleep", "getcpu", "name_to_handle_at", "statx", "rseq", "clone3"],
  );
});
