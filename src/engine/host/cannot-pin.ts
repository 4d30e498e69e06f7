/**
 * The error about CPUs that the kernel refused when a thread asked for them. They were looked at when the plan was made: what is
 * wrong with them has happened since, such as a CPU that was taken offline.
 */
import { EngineError } from "../../errors.js";
import type { RunPlan } from "../../model/plan/run-plan.js";
import { formatCpuList } from "../../options/values/cpu-list.js";
import type { CpusHere } from "../../platform/limits/cpu-reach.js";

/** The CPUs that were asked for; null, undefined: unchanged. */
export interface AskedCpus extends Pick<RunPlan, "messageCpus" | "workerCpus"> {
  readonly loadCpus?: RunPlan["loadCpus"] | undefined;
}

/**
 * The error.
 *
 * @param cpusHere as they are now
 * @param errno of sched_setaffinity
 */
export const cannotPin = (
  { messageCpus, workerCpus, loadCpus }: AskedCpus,
  { refusalOf }: Pick<CpusHere, "refusalOf">,
  errno: number,
): EngineError => {
  const asked = [...new Set([messageCpus ?? [], workerCpus ?? [], loadCpus ?? []].flat(2))].toSorted((a, b) => a - b);
  const refusal = asked.map(refusalOf).find((found) => found !== null);
  const reason = refusal?.reason ?? `the kernel refused them (sched_setaffinity, errno ${errno})`;
  return new EngineError(
    `cannot pin threads to CPUs "${formatCpuList(asked)}": ${reason}`,
    refusal?.remedy ??
      "See which CPUs are online and allowed: /sys/devices/system/cpu/online, Cpus_allowed_list in /proc/self/status.",
  );
};
