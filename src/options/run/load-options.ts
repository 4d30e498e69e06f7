/** What runs beside the benchmark, from parsed options to the part of the plan. Pure. */
import { UsageError } from "../../errors.js";
import type { RunPlan } from "../../model/plan/run-plan.js";
import { formatCgroupSettings } from "../values/cgroup-language.js";
import { formatCpuList } from "../values/cpu-list.js";
import { NO_LOAD, readLoad } from "../values/load-language.js";
import { checkReachable, type PinnableCpus } from "./pinning.js";
import type { RunOptions } from "./run-table.js";

/** The part of a plan that is about loads; nothing without one. */
type LoadSettings = Pick<RunPlan, "loads" | "loadCpus" | "loadCgroup">;

/** A command line shows what it was given: CPUs are a list there. */
const placements = ({ loadCpus, loadCgroup }: RunOptions): readonly (readonly [option: string, value: string])[] => [
  ...(loadCpus === null ? [] : ([["--load-cpus", formatCpuList(loadCpus)]] as const)),
  ...(loadCgroup === null ? [] : ([["--load-cgroup", formatCgroupSettings(loadCgroup)]] as const)),
];

/**
 * Decides the loads of a run and where they go.
 *
 * @throws UsageError for a load that cannot be read, CPUs it cannot be put on, and a place without a load
 */
export const resolveLoads = (options: RunOptions, here: PinnableCpus): LoadSettings => {
  const loads = options.loads.map(readLoad).filter((load) => load !== null);
  const [misplaced] = options.loads.length === 0 ? placements(options) : [];
  if (misplaced !== undefined)
    throw new UsageError(
      `cannot place loads (${misplaced[0]} "${misplaced[1]}"): there are none`,
      `Give one with --load, such as --load spin:4; with --load ${NO_LOAD} the option does nothing.`,
    );
  if (options.loadCpus !== null) checkReachable("load", options.loadCpus, here);
  if (loads.length === 0) return {};
  return {
    loads,
    ...(options.loadCpus === null ? {} : { loadCpus: options.loadCpus }),
    ...(options.loadCgroup === null ? {} : { loadCgroup: options.loadCgroup }),
  };
};
