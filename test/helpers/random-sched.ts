/** Any scheduling attributes, and any group of workers, as a command line may ask for. */
import * as fc from "fast-check";
import type { GroupRequest, SchedAttributes } from "../../src/model/plan/sched-attributes.js";

const uclamp = fc
  .tuple(fc.integer({ min: 0, max: 1024 }), fc.integer({ min: 0, max: 1024 }))
  .map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) }));
const time = fc.integer({ min: 2, max: 2_147_483_647 });
/** Any attributes that belong together. */
export const schedArbitrary: fc.Arbitrary<SchedAttributes> = fc.oneof(
  fc
    .record(
      {
        policy: fc.constantFrom("other", "batch", "ext"),
        nice: fc.integer({ min: -20, max: 19 }),
        sliceUsec: fc.integer({ min: 1, max: 2_147_483_647 }),
        uclamp,
      },
      { requiredKeys: [], noNullPrototype: true },
    )
    .filter((value) => Object.keys(value).length > 0),
  fc.record({ policy: fc.constant("idle"), uclamp }, { requiredKeys: ["policy"], noNullPrototype: true }),
  fc.record(
    { policy: fc.constantFrom("fifo", "rr"), priority: fc.integer({ min: 1, max: 99 }), uclamp },
    { requiredKeys: ["policy", "priority"], noNullPrototype: true },
  ),
  fc.tuple(time, time, time).map((times) => {
    const [runtimeUsec = 0, deadlineUsec = 0, periodUsec = 0] = times.toSorted((a, b) => a - b);
    return { policy: "deadline", runtimeUsec, deadlineUsec, periodUsec } as const;
  }),
);

/** A group of at most so many workers. */
export const groupArbitrary = (most: number): fc.Arbitrary<GroupRequest> =>
  fc.record(
    {
      name: fc.constantFrom("short", "long", "a-1"),
      workers: fc.integer({ min: 1, max: most }),
      sched: schedArbitrary,
    },
    { requiredKeys: ["workers", "sched"], noNullPrototype: true },
  );
