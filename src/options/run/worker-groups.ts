/** From the groups that were asked for to those of a plan: names, and whether the workers are enough. Pure. */
import { at } from "../../at.js";
import { UsageError } from "../../errors.js";
import type { GroupRequest } from "../../model/plan/sched-attributes.js";
import type { WorkerGroup } from "../../model/plan/run-plan.js";
import { formatWorkerGroup, REST } from "../values/worker-group.js";

/**
 * Names the groups; one without a name is called by its place, g1, g2.
 *
 * @throws UsageError for a name that is used twice, and for groups that are larger than the workers of a message thread
 */
export const resolveGroups = (requests: readonly GroupRequest[], workerThreads: number): readonly WorkerGroup[] => {
  const groups = requests.map(({ name, workers, sched }, index) => ({ name: name ?? `g${index + 1}`, workers, sched }));
  groups.forEach(({ name }, index) => {
    const first = groups.findIndex((group) => group.name === name);
    if (first < index)
      throw new UsageError(
        `two worker groups are called "${name}": "${formatWorkerGroup(at(requests, first))}" and "${formatWorkerGroup(at(requests, index))}"`,
        "Give each a name of its own, as in short=4:slice=500.",
      );
  });
  const wanted = groups.reduce((sum, { workers }) => sum + workers, 0);
  if (wanted > workerThreads)
    throw new UsageError(
      `the worker groups have ${wanted} workers ("${requests.map(formatWorkerGroup).join('", "')}"), and each message thread has ${workerThreads}`,
      `Give each message thread more workers (-t ${wanted}), or make the groups smaller.`,
    );
  return groups;
};

/** The name of a group of a plan; null: of the workers that are in none. */
export const groupName = (groups: readonly WorkerGroup[], group: number | null): string =>
  group === null ? REST : at(groups, group).name;
