import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { schedAttributes, type SchedAttributes } from "../../../../src/model/plan/sched-attributes.js";
import { policyNumbered, SCHED_ATTRIBUTES, SCHED_POLICIES } from "../../../../src/model/plan/sched-table.js";
import { formatSchedAttributes } from "../../../../src/model/plan/sched-text.js";
import { readSchedAttributes } from "../../../../src/options/values/sched-language.js";
import { formatWorkerGroup, readWorkerGroup } from "../../../../src/options/values/worker-group.js";
import { schedArbitrary } from "../../../helpers/random-sched.js";

for (const [text, value] of [
  ["other", { policy: "other" }],
  ["batch,nice=5,slice=3000", { policy: "batch", nice: 5, sliceUsec: 3000 }],
  ["slice=3000,nice=-20", { nice: -20, sliceUsec: 3000 }],
  ["idle", { policy: "idle" }],
  ["ext,slice=1000", { policy: "ext", sliceUsec: 1000 }],
  ["uclamp=0-512,other", { policy: "other", uclamp: { min: 0, max: 512 } }],
  ["fifo:1", { policy: "fifo", priority: 1 }],
  ["rr:99,uclamp=1024-1024", { policy: "rr", priority: 99, uclamp: { min: 1024, max: 1024 } }],
  ["deadline:1000/5000/10000", { policy: "deadline", runtimeUsec: 1000, deadlineUsec: 5000, periodUsec: 10_000 }],
] as const satisfies readonly (readonly [string, SchedAttributes])[])
  void test(`"${text}" names scheduling attributes`, () => {
    assert.deepEqual(readSchedAttributes(text), { value, problem: null });
    assert.deepEqual(schedAttributes.parse(value), value);
  });

void test("a plus joins attributes where a comma has a meaning of its own", () => {
  assert.deepEqual(readSchedAttributes("batch+nice=5+slice=3000"), readSchedAttributes("batch,nice=5,slice=3000"));
});

const EVERYTHING =
  "other, batch, idle, ext, fifo:PRIO, rr:PRIO, deadline:RUNTIME/DEADLINE/PERIOD, nice=N, slice=USEC, uclamp=MIN-MAX";

for (const [text, problem] of [
  ["", `${EVERYTHING}, but not ""`],
  ["realtime", `${EVERYTHING}, but not "realtime"`],
  ["Batch", `${EVERYTHING}, but not "Batch"`],
  ["nice=5,", `${EVERYTHING}, but not ""`],
  ["latency=5", `${EVERYTHING}, but not "latency=5"`],
  ["batch:5", "batch"],
  ["fifo", "fifo:PRIO, PRIO from 1 to 99"],
  ["fifo=5", "fifo:PRIO, PRIO from 1 to 99"],
  ["fifo:0", "fifo:PRIO, PRIO from 1 to 99"],
  ["rr:100", "rr:PRIO, PRIO from 1 to 99"],
  ["rr:1.5", "rr:PRIO, PRIO from 1 to 99"],
  ["nice", "nice=N, N from -20 to 19"],
  ["nice:5", "nice=N, N from -20 to 19"],
  ["nice=20", "nice=N, N from -20 to 19"],
  ["slice=0", "slice=USEC, USEC from 1 to 2147483647"],
  ["slice=3ms", "slice=USEC, USEC from 1 to 2147483647"],
  ["uclamp=512", "uclamp=MIN-MAX, MIN from 0 to 1024, MAX from 0 to 1024"],
  ["uclamp=0-1025", "uclamp=MIN-MAX, MIN from 0 to 1024, MAX from 0 to 1024"],
  ["uclamp=600-512", "uclamp=MIN-MAX with MIN <= MAX"],
  ["deadline:5000/1000/10000", "deadline:RUNTIME/DEADLINE/PERIOD with RUNTIME <= DEADLINE <= PERIOD"],
  ["other,batch", "one policy, not other and batch"],
  ["nice=1,nice=2", "nice once"],
  ["fifo:5,nice=2", "fifo with uclamp and nothing else: nice has no effect under it"],
  ["idle,slice=500", "idle with uclamp and nothing else: slice has no effect under it"],
  ["deadline:10/10/10,uclamp=0-5", "deadline with nothing else: uclamp has no effect under it"],
] as const)
  void test(`"${text}" names no scheduling attributes`, () => {
    assert.deepEqual(readSchedAttributes(text), { value: null, problem });
  });

void test("what attributes are written as reads back as the same, and fits the stored form", () => {
  fc.assert(
    fc.property(schedArbitrary, (value) => {
      assert.deepEqual({ ...readSchedAttributes(formatSchedAttributes(value)).value }, { ...value });
      assert.deepEqual({ ...schedAttributes.parse(value) }, { ...value });
    }),
  );
});

void test("policies and attributes have one name each, and policies the numbers of linux/sched.h", () => {
  const names = [...SCHED_POLICIES, ...SCHED_ATTRIBUTES].map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 7].map((number) => policyNumbered(number)?.name ?? null),
    ["other", "fifo", "rr", "batch", null, "idle", "deadline", "ext"],
  );
});

for (const [text, value] of [
  ["4:slice=500", { workers: 4, sched: { sliceUsec: 500 } }],
  ["short=4:batch,slice=500", { name: "short", workers: 4, sched: { policy: "batch", sliceUsec: 500 } }],
  ["a-1=1:fifo:3", { name: "a-1", workers: 1, sched: { policy: "fifo", priority: 3 } }],
] as const)
  void test(`"${text}" names a group of workers`, () => {
    assert.deepEqual(readWorkerGroup(text), { value, problem: null });
    assert.equal(formatWorkerGroup(value), text);
  });

for (const [text, problem] of [
  ["4", "[NAME=]COUNT:ATTRIBUTES, such as 4:slice=500 or short=4:slice=500"],
  ["slice=500", "[NAME=]COUNT:ATTRIBUTES, such as 4:slice=500 or short=4:slice=500"],
  ["-1:slice=500", "[NAME=]COUNT:ATTRIBUTES, such as 4:slice=500 or short=4:slice=500"],
  ["0:slice=500", "1 worker or more in a group"],
  ["4:", `${EVERYTHING}, but not ""`],
  ["4:fifo:100", "fifo:PRIO, PRIO from 1 to 99"],
  ["Short=4:batch", 'a name of up to 16 small letters, digits and dashes, not "Short"'],
  ["a.b=4:batch", 'a name of up to 16 small letters, digits and dashes, not "a.b"'],
  ["=4:batch", 'a name of up to 16 small letters, digits and dashes, not ""'],
  ["rest=4:batch", "any name but rest, which are the workers in no group"],
] as const)
  void test(`"${text}" names no group of workers`, () => {
    assert.deepEqual(readWorkerGroup(text), { value: null, problem });
  });
