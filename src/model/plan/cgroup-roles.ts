/** Who has a control group of its own. Apart from the schema, so that a run need not load that. */
export const CGROUP_ROLES = ["message", "worker", "load"] as const;

/** One of them. */
export type CgroupRole = (typeof CGROUP_ROLES)[number];
