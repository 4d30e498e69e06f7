/**
 * What can be said of a thread to the scheduler: the one list behind the language of `--worker-sched`, the library's types,
 * the help, the checks before a run and the struct that goes to the kernel. Names, numbers and ranges are those of
 * sched(7) and sched_setattr(2).
 */

/** A number in the language: where it stands, and what it may be. */
export interface SchedNumber {
  /** As in a message: `PRIO`. */
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

/** Longest time that the language takes, in microseconds: the kernel's own limits are far below, and change. */
const MAX_USEC = 2_147_483_647;

/** A deadline of less than 1024 ns is no deadline to the kernel. */
const LEAST_DEADLINE_USEC = 2;

const time = (name: string): SchedNumber => ({ name, min: LEAST_DEADLINE_USEC, max: MAX_USEC });

const PRIORITY = [{ name: "PRIO", min: 1, max: 99 }] as const satisfies readonly SchedNumber[];

/** The attributes beside the policy, each with what separates its numbers. */
export const SCHED_ATTRIBUTES = [
  {
    name: "nice",
    separator: "",
    numbers: [{ name: "N", min: -20, max: 19 }],
    since: "2.0",
    meaning: "its share against its neighbours: each step down is about 25 % more CPU",
  },
  {
    name: "slice",
    separator: "",
    numbers: [{ name: "USEC", min: 1, max: MAX_USEC }],
    since: "6.12",
    meaning: "how long it asks to run at a time (the kernel takes 100 to 100000): a shorter slice is served sooner",
  },
  {
    name: "uclamp",
    separator: "-",
    numbers: [
      { name: "MIN", min: 0, max: 1024 },
      { name: "MAX", min: 0, max: 1024 },
    ],
    since: "5.3",
    meaning:
      "bounds, out of 1024, on how busy it looks when the kernel picks a frequency and a CPU; needs CONFIG_UCLAMP_TASK",
  },
] as const satisfies readonly SchedEntry[];

/** What the policies and the attributes have in common. */
interface SchedEntry {
  readonly name: string;
  /** Between its numbers. */
  readonly separator: string;
  readonly numbers: readonly SchedNumber[];
  /** The Linux that brought it. */
  readonly since: string;
  readonly meaning: string;
}

/** The name of an attribute. */
export type SchedAttributeName = (typeof SCHED_ATTRIBUTES)[number]["name"];

interface PolicyEntry extends SchedEntry {
  /** SCHED_… of linux/sched.h. */
  readonly number: number;
  /** What else counts under this policy. */
  readonly takes: readonly SchedAttributeName[];
}

/** The policies. Names in the kernel: SCHED_ and the name in capitals. */
export const SCHED_POLICIES = [
  {
    name: "other",
    number: 0,
    separator: "",
    numbers: [],
    takes: ["nice", "slice", "uclamp"],
    since: "2.0",
    meaning: "the default: a fair share of the CPU",
  },
  {
    name: "batch",
    number: 3,
    separator: "",
    numbers: [],
    takes: ["nice", "slice", "uclamp"],
    since: "2.6.16",
    meaning: "a fair share, and its wakeups preempt nobody",
  },
  {
    name: "idle",
    number: 5,
    separator: "",
    numbers: [],
    takes: ["uclamp"],
    since: "2.6.23",
    meaning: "the smallest share: anything else preempts it",
  },
  {
    name: "ext",
    number: 7,
    separator: "",
    numbers: [],
    takes: ["nice", "slice", "uclamp"],
    since: "6.12",
    meaning: "handled by the loaded sched_ext scheduler, like other where none is loaded; needs CONFIG_SCHED_CLASS_EXT",
  },
  {
    name: "fifo",
    number: 1,
    separator: "/",
    numbers: PRIORITY,
    takes: ["uclamp"],
    since: "2.0",
    meaning: "real time: runs until it sleeps, ahead of every lower priority",
  },
  {
    name: "rr",
    number: 2,
    separator: "/",
    numbers: PRIORITY,
    takes: ["uclamp"],
    since: "2.0",
    meaning: "as fifo, in turn with others of its priority (kernel.sched_rr_timeslice_ms)",
  },
  {
    name: "deadline",
    number: 6,
    separator: "/",
    numbers: [time("RUNTIME"), time("DEADLINE"), time("PERIOD")],
    takes: [],
    since: "3.14",
    meaning: "RUNTIME microseconds of CPU within DEADLINE in every PERIOD, ahead of everything else",
  },
] as const satisfies readonly PolicyEntry[];

/** The name of a policy. */
export type SchedPolicyName = (typeof SCHED_POLICIES)[number]["name"];

/** What there is to know about a policy. */
export type SchedPolicy = PolicyEntry & { readonly name: SchedPolicyName };

/** What there is to know about an attribute. */
export type SchedAttribute = SchedEntry & { readonly name: SchedAttributeName };

/** The policy of a name. */
export const policyNamed = (name: SchedPolicyName): SchedPolicy => {
  const policy: SchedPolicy | undefined = SCHED_POLICIES.find((one) => one.name === name);
  if (policy === undefined) throw new TypeError(`no policy "${name}"`);
  return policy;
};

/** The policy of the kernel's number; null for one that is not in the list. */
export const policyNumbered = (number: number): SchedPolicy | null =>
  SCHED_POLICIES.find((one) => one.number === number) ?? null;

/** How it begins: `fifo:`, `slice=`, `batch`. */
export const writtenStart = (entry: SchedPolicy | SchedAttribute): string => {
  if (entry.numbers.length === 0) return entry.name;
  return `${entry.name}${"number" in entry ? ":" : "="}`;
};

/** How it is written: `fifo:PRIO`, `slice=USEC`, `batch`. */
export const writtenForm = (entry: SchedPolicy | SchedAttribute): string =>
  writtenStart(entry) + entry.numbers.map(({ name }) => name).join(entry.separator);
