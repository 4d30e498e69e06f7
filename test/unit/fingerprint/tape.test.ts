/** What keeps a fingerprint from being taken is told before anything runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTape } from "../../../src/fingerprint/tape.js";
import { fakeTracefs } from "../explain/fake-tracefs.js";
import { type EventName, FORMATS, pageOf, type RecordSpec } from "./kernel-pages.js";

const EVENTS = FORMATS;
const HARD_INTERRUPT = 0x08;
const SLEEPING = 1;
const PREEMPTED = 0x100;
const CLONE_THREAD = 0x1_00_00;

void test("without root the error says so, and how to get it", () => {
  const { platform, instances } = fakeTracefs({ isRoot: false });
  assert.throws(() => openTape(platform, [1], "deeds"), {
    message: "cannot take a fingerprint: tracing is for root only, and this process is not root",
    remedy: "Run it as root, or with sudo.",
  });
  assert.deepEqual(instances(), []);
});

void test("in a container whose thread ids differ from the trace's it is refused, not empty", () => {
  const { platform, instances } = fakeTracefs({ events: EVENTS, pidNamespace: 77 });
  assert.throws(() => openTape(platform, [1], "deeds"), /cannot take a fingerprint: in a PID namespace of its own/);
  assert.deepEqual(instances(), []);
});

for (const event of Object.keys(EVENTS))
  void test(`a kernel without ${event} is refused, and no instance remains`, () => {
    const { platform, instances } = fakeTracefs({ events: EVENTS, withoutEvent: event });
    assert.throws(() => openTape(platform, [1], "deeds-and-lives"), {
      message: `cannot take a fingerprint: this kernel lacks the event "${event}"`,
    });
    assert.deepEqual(instances(), []);
  });

void test("only the family is recorded, with its children, and events are on after that is set", () => {
  const writes: string[] = [];
  const fake = fakeTracefs({
    events: EVENTS,
    refuseWrite: (path) => {
      writes.push(path.split("/instances/schbench-ts-4242-")[1] ?? "");
      return false;
    },
  });
  const tape = openTape(fake.platform, [4242, 7], "deeds");
  assert.equal(fake.files.get("/sys/kernel/tracing/instances/schbench-ts-4242-fingerprint/set_event_pid"), "4242 7");
  const firstEvent = writes.findIndex((path) => path.includes("/events/"));
  assert.ok(writes.indexOf("fingerprint/set_event_pid") < firstEvent);
  assert.ok(writes.indexOf("fingerprint/options/event-fork") < writes.indexOf("fingerprint/set_event_pid"));
  tape.remove();
  assert.equal(fake.openFiles(), 0);
});

const record = (
  event: EventName,
  timeNsec: number,
  currentTid: number,
  fields: RecordSpec["fields"],
  flags = 0,
): RecordSpec => ({ event, timeNsec, common_pid: currentTid, common_flags: flags, fields });

void test("counts are those that a hand finds in the pages, and those before the begin are not among them", () => {
  let nowNsec = 500;
  const { platform, ring, instances } = fakeTracefs({ events: EVENTS, nowNsec: () => nowNsec });
  const tape = openTape(platform, [4242], "deeds");
  tape.start();
  nowNsec = 1000;
  tape.begin();
  ring(0, "fingerprint").push(
    pageOf([
      record("raw_syscalls/sys_enter", 900, 7, { id: 202 }),
      record("raw_syscalls/sys_enter", 1100, 7, { id: 202 }),
      record("sched/sched_waking", 1110, 7, { pid: 8, target_cpu: 1 }),
      record("raw_syscalls/sys_enter", 1120, 7, { id: 230 }),
      record("sched/sched_switch", 1130, 7, { prev_pid: 7, prev_state: SLEEPING, next_pid: 0 }),
      record("sched/sched_waking", 1140, 0, { pid: 7, target_cpu: 0 }, HARD_INTERRUPT),
      record("sched/sched_wakeup", 1150, 0, { pid: 7, target_cpu: 0 }),
    ]),
  );
  ring(1, "fingerprint").push(
    pageOf([
      record("sched/sched_wakeup", 1115, 0, { pid: 8, target_cpu: 1 }),
      record("sched/sched_switch", 1200, 8, { prev_pid: 8, prev_state: PREEMPTED, next_pid: 9 }),
      record("sched/sched_migrate_task", 1210, 8, { pid: 8, orig_cpu: 1, dest_cpu: 0 }),
      record("raw_syscalls/sys_enter", 1220, 8, { id: 202 }),
    ]),
  );
  nowNsec = 2000;
  const { threads, fromNsec, toNsec, lostEvents, isSample } = tape.counts();
  const plain = Object.fromEntries(
    [...threads].map(([tid, { calls, wokenBy, ...counts }]) => [
      tid,
      { ...counts, calls: [...calls], wokenBy: [...wokenBy] },
    ]),
  );
  assert.deepEqual(plain, {
    7: {
      wakeups: 1,
      voluntarySwitches: 1,
      involuntarySwitches: 0,
      migrations: 0,
      calls: [
        [202, 1],
        [230, 1],
      ],
      wokenBy: [],
    },
    8: {
      wakeups: 1,
      voluntarySwitches: 0,
      involuntarySwitches: 1,
      migrations: 1,
      calls: [[202, 1]],
      wokenBy: [[7, { handedOver: 1, crossed: 1 }]],
    },
  });
  assert.deepEqual([fromNsec, toNsec, lostEvents, isSample], [1000, 2000, 0, false]);
  tape.remove();
  assert.deepEqual(instances(), []);
});

void test("of a foreign program, who created whom is known while it runs, and only what was done since `begin` counts", () => {
  let nowNsec = 150;
  const { platform, ring } = fakeTracefs({ events: EVENTS, nowNsec: () => nowNsec });
  const tape = openTape(platform, [4242], "deeds-and-lives");
  tape.start();
  const call = (timeNsec: number, tid: number) => record("raw_syscalls/sys_enter", timeNsec, tid, { id: 202 });
  ring(1, "lives").push(
    pageOf([
      record("task/task_newtask", 90, 10, { pid: 11, clone_flags: CLONE_THREAD }),
      record("task/task_newtask", 95, 11, { pid: 12, clone_flags: CLONE_THREAD }),
    ]),
  );
  assert.deepEqual(tape.families().members(), [
    { tid: 11, role: "message", messageTid: null },
    { tid: 12, role: "worker", messageTid: 11 },
  ]);
  assert.equal(tape.families().parentOf(12), 11);
  assert.equal(tape.families().parentOf(4242), null);
  tape.begin();
  ring(0, "fingerprint").push(pageOf([call(100, 11), call(210, 11), call(310, 12), call(400, 11), call(600, 12)]));
  nowNsec = 500;
  tape.stop();
  const { threads } = tape.counts();
  assert.equal(threads.get(11)?.calls.get(202), 2);
  assert.equal(threads.get(12)?.calls.get(202), 1);
  tape.remove();
});

void test("a damaged page is a loss", () => {
  const { platform, ring } = fakeTracefs({ events: EVENTS });
  const tape = openTape(platform, [1], "deeds");
  tape.begin();
  ring(0, "fingerprint").push(pageOf([record("raw_syscalls/sys_enter", 2e9, 7, { id: 202 })]).subarray(0, 40));
  assert.equal(tape.counts().lostEvents, 1);
  tape.remove();
});
