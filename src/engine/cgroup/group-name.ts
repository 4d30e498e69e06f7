/**
 * The name of a run's groups says whose they are and what was turned on for them, so that the next run can put away what a
 * killed one has left: `schbench-ts-PID-START[-cpu][-cpuset][-worker]`. Pure.
 */
import { CGROUP_ROLES, type CgroupRole } from "../../model/plan/cgroup-roles.js";

/** A controller that can be turned on for the groups below a group. */
export type Controller = "cpu" | "cpuset";

/** Whose groups they are. */
export interface GroupOwner {
  readonly pid: number;
  /** When the process began, in ticks since boot: a process id is used again. */
  readonly start: number;
  /** Controllers that its owner has turned on in the group above. */
  readonly enabled: readonly Controller[];
}

const CONTROLLERS = ["cpu", "cpuset"] as const satisfies readonly Controller[];
const NAME = new RegExp(
  `^schbench-ts-(\\d+)-(\\d+)((?:-(?:${CONTROLLERS.join("|")}))*)(?:-(?:${CGROUP_ROLES.join("|")}))?$`,
);

/** The name of a run's own group, or of the group of one role. */
export const groupName = ({ pid, start, enabled }: GroupOwner, role?: CgroupRole): string =>
  ["schbench-ts", pid, start, ...enabled, ...(role === undefined ? [] : [role])].join("-");

/** The owner of a group by its name; null for a name that is none of ours. */
export const groupOwner = (name: string): GroupOwner | null => {
  const [, pid, start, controllers = ""] = NAME.exec(name) ?? [];
  if (pid === undefined) return null;
  const words = controllers.split("-");
  return { pid: Number(pid), start: Number(start), enabled: CONTROLLERS.filter((one) => words.includes(one)) };
};

/** When a process began, in ticks since boot, from its stat file; null: it is not there. */
export const startOf = (stat: string | null): number | null => {
  const start = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return start !== undefined && /^\d+$/.test(start) ? Number(start) : null;
};
