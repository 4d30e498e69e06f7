/** What a built-in load counts. Apart from its schema, so that a run need not load that. */
export const WORK_UNITS = { spin: "turns", duty: "periods", wake: "wakeups", memory: "MiB" } as const;
