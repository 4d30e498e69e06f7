/** Where the kernel gave threads something else than they asked for, it did so without a word: this says it. Pure. */
import type { SchedAttributes, SchedInForce } from "../model/plan/sched-attributes.js";
import type { RunPlan } from "../model/plan/run-plan.js";
import type { ThreadResult, Warning } from "../model/result/run-result.js";
import { askedBy } from "../options/run/sched-needs.js";

/** One attribute, as asked for and as in force. */
interface Difference {
  readonly what: string;
  readonly asked: string;
  readonly inForce: string;
  readonly cure: string;
}

const IGNORED = "schbench-ts help sched has the kernel version of each attribute.";
const BY_OTHERS = "Something else has changed it: look for a daemon that does (renice, chrt, rtkit, ananicy).";

const times = ({
  runtimeUsec,
  deadlineUsec,
  periodUsec,
}: {
  runtimeUsec: number;
  deadlineUsec: number;
  periodUsec: number;
}) => `${runtimeUsec}/${deadlineUsec}/${periodUsec}`;

const difference = (
  what: string,
  asked: string | number,
  inForce: string | number | null,
  cure: string,
): readonly Difference[] =>
  String(asked) === String(inForce) ? [] : [{ what, asked: String(asked), inForce: String(inForce ?? "none"), cure }];

const sliceCure = (inForce: number | null): string =>
  inForce === null ? "Slices came with Linux 6.12." : "The kernel takes slices of 100 to 100000 us.";

/** What differs between what a thread asked for and what it has. */
const differencesOf = (asked: SchedAttributes, inForce: SchedInForce): readonly Difference[] => [
  ...(asked.policy === undefined ? [] : difference("policy", asked.policy, inForce.policy, BY_OTHERS)),
  ...("priority" in asked ? difference("priority", asked.priority, inForce.priority, BY_OTHERS) : []),
  ...("runtimeUsec" in asked
    ? difference("deadline", times(asked), inForce.deadline === null ? null : times(inForce.deadline), BY_OTHERS)
    : []),
  ...("nice" in asked && asked.nice !== undefined ? difference("nice", asked.nice, inForce.nice, BY_OTHERS) : []),
  ...("sliceUsec" in asked && asked.sliceUsec !== undefined
    ? difference("slice", asked.sliceUsec, inForce.sliceUsec, sliceCure(inForce.sliceUsec))
    : []),
  ...("uclamp" in asked && asked.uclamp !== undefined
    ? difference(
        "uclamp",
        `${asked.uclamp.min}-${asked.uclamp.max}`,
        inForce.uclamp === null
          ? asked.uclamp.max === 0
            ? "0-0"
            : null
          : `${inForce.uclamp.min}-${inForce.uclamp.max}`,
        IGNORED,
      )
    : []),
];

/**
 * A warning for each attribute that is not in force as asked for, with both values and the number of threads.
 *
 * @param groupOf the number of a worker's group in the plan; null: it is in none
 */
export const schedWarnings = (plan: RunPlan, threads: readonly ThreadResult[]): readonly Warning[] => {
  const found = new Map<string, { readonly who: string; readonly difference: Difference; threads: number }>();
  for (const { role, group, sched } of threads) {
    const number = plan.workerGroups?.findIndex(({ name }) => name === group) ?? -1;
    const asked = askedBy(plan, { role, group: number < 0 ? null : number });
    if (asked === null || sched === null) continue;
    for (const one of differencesOf(asked.sched, sched)) {
      const key = `${asked.who} ${one.what} ${one.inForce}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { who: asked.who, difference: one, threads: 1 });
      else known.threads++;
    }
  }
  return [...found.values()].map(({ who, difference: { what, asked, inForce, cure }, threads: count }) => ({
    code: "sched-not-as-asked",
    message: `${who} asked for ${what} ${asked} and had ${inForce} (${count === 1 ? "1 thread" : `${count} threads`})`,
    cure,
  }));
};
