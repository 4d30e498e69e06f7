/** What the threads of a plan ask of the scheduler, and whether they will get it here. Pure. */
import { UsageError } from "../../errors.js";
import type { SchedAttributes } from "../../model/plan/sched-attributes.js";
import type { RunPlan } from "../../model/plan/run-plan.js";
import { groupName } from "./worker-groups.js";
import { formatSchedAttributes } from "../../model/plan/sched-text.js";

/** Threads that ask for the same. */
export interface SchedNeed {
  /** As a message calls them: `worker threads`, `workers of group short`. */
  readonly who: string;
  readonly threads: number;
  readonly sched: SchedAttributes;
  /** Those that they are pinned to; null: as this process. */
  readonly cpus: readonly number[] | null;
}

/** Why threads do not get what they ask for, in words that end a sentence, and how to mend it. */
export interface SchedRefusal {
  readonly need: SchedNeed;
  readonly reason: string;
  readonly remedy: string;
}

/** What this machine grants, as far as that is known before. */
export interface SchedRules {
  /** The first that would be refused; null: none, or nothing is known that speaks against it, and the kernel says so. */
  readonly schedRefusalOf: (needs: readonly SchedNeed[]) => SchedRefusal | null;
  /** Real-time threads may take all CPUs for good: the machine does not limit them. */
  readonly isRealTimeUnlimited: () => boolean;
}

/** How a message calls the workers of a group, by its name; null: the workers where there are no groups. */
const workersCalled = (group: string | null): string =>
  group === null ? "worker threads" : `workers of group "${group}"`;

/** What a thread of a plan asks for, and what a message calls it; null: nothing. */
export const askedBy = (
  { messageSched, workerSched, workerGroups }: RunPlan,
  { role, group }: { readonly role: "message" | "worker"; readonly group: number | null },
): Pick<SchedNeed, "who" | "sched"> | null => {
  const sched = role === "message" ? messageSched : group === null ? workerSched : workerGroups?.at(group)?.sched;
  if (sched === undefined) return null;
  if (role === "message") return { who: "message threads", sched };
  return { who: workersCalled(workerGroups === undefined ? null : groupName(workerGroups, group)), sched };
};

/** Everything that the threads of a plan ask for. */
export const schedNeeds = (plan: RunPlan): readonly SchedNeed[] => {
  const { messageThreads, workerThreads, workerGroups = [], messageCpus, workerCpus } = plan;
  const grouped = workerGroups.reduce((sum, { workers }) => sum + workers, 0);
  const kinds = [
    { role: "message", group: null, threads: messageThreads, cpus: messageCpus?.at(0) ?? null },
    { role: "worker", group: null, threads: messageThreads * (workerThreads - grouped), cpus: workerCpus },
    ...workerGroups.map(({ workers }, group) => ({
      role: "worker" as const,
      group,
      threads: messageThreads * workers,
      cpus: workerCpus,
    })),
  ] as const;
  return kinds.flatMap((kind) => {
    const asked = askedBy(plan, kind);
    return asked === null || kind.threads === 0 ? [] : [{ ...asked, threads: kind.threads, cpus: kind.cpus }];
  });
};

const isRealTime = ({ sched }: SchedNeed): boolean => "priority" in sched;

/**
 * Refuses what the threads of a plan will not get here, and what could hang the machine.
 *
 * @param insists start real-time threads although nothing limits them
 * @throws UsageError
 */
export const checkSched = (
  plan: RunPlan,
  { schedRefusalOf, isRealTimeUnlimited }: SchedRules,
  insists: boolean,
): void => {
  const needs = schedNeeds(plan);
  const refusal = needs.length === 0 ? null : schedRefusalOf(needs);
  if (refusal !== null)
    throw new UsageError(
      `cannot run ${refusal.need.who} as "${formatSchedAttributes(refusal.need.sched)}": ${refusal.reason}`,
      refusal.remedy,
    );
  const realTime = needs.find(isRealTime);
  if (realTime !== undefined && !insists && isRealTimeUnlimited())
    throw new UsageError(
      `cannot run ${realTime.who} as "${formatSchedAttributes(realTime.sched)}": this machine does not limit real time ` +
        "(kernel.sched_rt_runtime_us is -1), and threads that do not sleep would keep everything else off their CPUs, " +
        "the shell and the end of this run included",
      "Limit it, as root: sysctl kernel.sched_rt_runtime_us=950000. Or insist: --unthrottled.",
    );
};
