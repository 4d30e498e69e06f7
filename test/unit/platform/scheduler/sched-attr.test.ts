/** struct sched_attr: what goes to the kernel, and what is read of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SchedAttributes, SchedInForce } from "../../../../src/model/plan/sched-attributes.js";
import {
  ownSchedBytes,
  readSched,
  SCHED_ATTR_BYTES,
  schedAttr,
  schedIn,
} from "../../../../src/platform/scheduler/sched-attr.js";

/** The fields of linux/sched/types.h, one behind the other. */
interface Fields {
  readonly policy?: number;
  readonly flags?: number;
  readonly nice?: number;
  readonly priority?: number;
  readonly runtime?: number;
  readonly deadline?: number;
  readonly period?: number;
  readonly utilMin?: number;
  readonly utilMax?: number;
}

const struct = (fields: Fields): Uint8Array => {
  const { policy = 0, flags = 0, nice = 0, priority = 0, runtime = 0, deadline = 0, period = 0 } = fields;
  const bytes = Buffer.alloc(56);
  bytes.writeUInt32LE(56, 0);
  bytes.writeUInt32LE(policy, 4);
  bytes.writeBigUInt64LE(BigInt(flags), 8);
  bytes.writeInt32LE(nice, 16);
  bytes.writeUInt32LE(priority, 20);
  [runtime, deadline, period].forEach((value, i) => bytes.writeBigUInt64LE(BigInt(value), 24 + i * 8));
  bytes.writeUInt32LE(fields.utilMin ?? 0, 48);
  bytes.writeUInt32LE(fields.utilMax ?? 0, 52);
  return new Uint8Array(bytes);
};

const PLAIN = struct({ runtime: 1_400_000 });

for (const [what, attributes, creator, fields] of [
  ["a policy", { policy: "batch" }, PLAIN, { policy: 3 }],
  ["nice and a slice", { nice: -5, sliceUsec: 500 }, PLAIN, { nice: -5, runtime: 500_000 }],
  ["a policy beside the nice of its creator", { policy: "batch" }, struct({ nice: 7 }), { policy: 3, nice: 7 }],
  [
    "a slice beside the policy of its creator",
    { sliceUsec: 500 },
    struct({ policy: 3 }),
    { policy: 3, runtime: 500_000 },
  ],
  ["nice, of a creator in real time", { nice: 3 }, struct({ policy: 1, priority: 9 }), { nice: 3 }],
  ["idle, which has neither nice nor slice", { policy: "idle" }, struct({ nice: 7 }), { policy: 5 }],
  ["ext", { policy: "ext" }, PLAIN, { policy: 7 }],
  ["fifo", { policy: "fifo", priority: 10 }, struct({ nice: 7 }), { policy: 1, priority: 10 }],
  ["rr", { policy: "rr", priority: 99 }, PLAIN, { policy: 2, priority: 99 }],
  [
    "a deadline",
    { policy: "deadline", runtimeUsec: 1000, deadlineUsec: 5000, periodUsec: 10_000 },
    PLAIN,
    { policy: 6, runtime: 1e6, deadline: 5e6, period: 1e7 },
  ],
  [
    "bounds of the utilisation with a policy",
    { policy: "other", uclamp: { min: 100, max: 700 } },
    PLAIN,
    { flags: 0x60, utilMin: 100, utilMax: 700 },
  ],
  [
    "bounds alone, which leave all else as it is",
    { uclamp: { min: 0, max: 512 } },
    struct({ policy: 1, priority: 9 }),
    { flags: 0x78, utilMax: 512 },
  ],
  [
    "a policy of a creator whose nice is not for children",
    { policy: "batch" },
    struct({ flags: 1, nice: -5 }),
    { policy: 3 },
  ],
] as const satisfies readonly (readonly [string, SchedAttributes, Uint8Array, Fields])[])
  void test(`the kernel is asked for ${what}`, () => {
    assert.deepEqual(Buffer.from(schedAttr(attributes, creator)), Buffer.from(struct(fields)));
  });

const NOTHING: SchedInForce = {
  policy: "other",
  nice: null,
  priority: null,
  sliceUsec: null,
  deadline: null,
  uclamp: null,
};

for (const [what, fields, inForce] of [
  ["a fair thread with its slice", { nice: 5, runtime: 2_800_000 }, { nice: 5, sliceUsec: 2800 }],
  ["a fair thread of a kernel without slices", {}, { nice: 0 }],
  ["a thread in real time", { policy: 2, priority: 7 }, { policy: "rr", priority: 7 }],
  [
    "a deadline",
    { policy: 6, runtime: 1e6, deadline: 2e6, period: 3e6 },
    { policy: "deadline", deadline: { runtimeUsec: 1000, deadlineUsec: 2000, periodUsec: 3000 } },
  ],
  ["bounds of the utilisation", { utilMin: 1, utilMax: 1024 }, { nice: 0, uclamp: { min: 1, max: 1024 } }],
  ["a policy that nobody knows", { policy: 9 }, { policy: "9", nice: 0 }],
] as const satisfies readonly (readonly [string, Fields, Partial<SchedInForce>])[])
  void test(`the kernel tells of ${what}`, () => {
    assert.deepEqual(schedIn(struct(fields)), { ...NOTHING, ...inForce });
  });

void test("this thread is read as it is, and one that is not there is not", () => {
  assert.equal(ownSchedBytes().length, SCHED_ATTR_BYTES);
  assert.deepEqual(readSched(0), schedIn(ownSchedBytes()));
  assert.equal(readSched(4_194_304), null);
});
