/** A limit that a run was given stops its threads for milliseconds at a time: what that did is said, since percentiles show it. Pure. */
import type { CgroupResult } from "../../model/plan/cgroup-plan.js";
import type { Warning } from "../../model/result/run-result.js";

/** A warning for every group that its own limit has stopped. */
export const throttleWarnings = (groups: readonly CgroupResult[]): readonly Warning[] =>
  groups.flatMap(({ role, throttledPeriods, periods, throttledSec, settings }) =>
    (throttledPeriods ?? 0) === 0
      ? []
      : [
          {
            code: "cgroup-throttled",
            message: `the limit of the ${role} cgroup (cpu.max ${settings["cpu.max"] ?? "unknown"}) stopped it in ${throttledPeriods} of ${periods} periods, for ${(throttledSec ?? 0).toFixed(2)} s in all`,
            cure: "That is what was asked for; for latencies without it, give a larger quota (max=) or none.",
          },
        ],
  );
