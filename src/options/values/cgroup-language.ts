/**
 * The language of `--worker-cgroup`, `--message-cgroup` and `--load-cgroup`: `weight=100,max=50000/100000`. One table of
 * what can be set is behind reading, writing, help and the files that are written. A plus means the same as a comma, for
 * places where a comma has a meaning of its own (--vary). Pure.
 */
import type { CgroupSettings } from "../../model/plan/cgroup-plan.js";
import { formatCpuList, readCpuList } from "./cpu-list.js";

/** A period of the CPU limit unless one is given: the kernel's own. */
const DEFAULT_PERIOD_USEC = 100_000;
/** What the kernel takes for quota and period. */
const LEAST_USEC = 1000;
const MAX_PERIOD_USEC = 1_000_000;
const MAX_QUOTA_USEC = 1_000_000_000;
const MAX_WEIGHT = 10_000;
/** Utilisation is of 1024 here and in sched_setattr, and a percentage with two digits in cgroup files. */
const FULL_UTILISATION = 1024;

/** A file of a group, and what is written to it. */
export type CgroupFile = readonly [name: string, text: string];

interface Entry {
  readonly name: keyof CgroupSettings;
  readonly form: string;
  readonly meaning: string;
  /** What a value may be, for messages. */
  readonly allowed: string;
  readonly since: string;
  readonly controller: "cpu" | "cpuset";
  /** Of the text behind `=`, null where there is none; null: it is no value. */
  readonly read: (text: string | null) => CgroupSettings | null;
  readonly write: (settings: CgroupSettings) => string | null;
  readonly files: (settings: CgroupSettings) => readonly CgroupFile[];
}

const within = (text: string | null, min: number, max: number): number | null => {
  const value = /^\d+$/.test(text ?? "") ? Number(text) : null;
  return value !== null && value >= min && value <= max ? value : null;
};

const readMax = (text: string | null): CgroupSettings | null => {
  const [quota = null, period = `${DEFAULT_PERIOD_USEC}`, ...rest] = text?.split("/") ?? [];
  const quotaUsec = within(quota, LEAST_USEC, MAX_QUOTA_USEC);
  const periodUsec = within(period, LEAST_USEC, MAX_PERIOD_USEC);
  return quotaUsec === null || periodUsec === null || rest.length > 0 ? null : { max: { quotaUsec, periodUsec } };
};

const readUclamp = (text: string | null): CgroupSettings | null => {
  const [low = null, high = null, ...rest] = text?.split("-") ?? [];
  const [min, max] = [within(low, 0, FULL_UTILISATION), within(high, 0, FULL_UTILISATION)];
  return min === null || max === null || min > max || rest.length > 0 ? null : { uclamp: { min, max } };
};

const percentOf = (utilisation: number): string => ((100 * utilisation) / FULL_UTILISATION).toFixed(2);

/** What can be set of a group, in the order in which it is written. */
export const CGROUP_SETTINGS = [
  {
    name: "weight",
    form: "weight=N",
    meaning: "its share against sibling groups; 100 where none is given",
    allowed: `N from 1 to ${MAX_WEIGHT}`,
    since: "4.15",
    controller: "cpu",
    read: (text) => {
      const weight = within(text, 1, MAX_WEIGHT);
      return weight === null ? null : { weight };
    },
    write: ({ weight }) => (weight === undefined ? null : `weight=${weight}`),
    files: ({ weight }) => [["cpu.weight", `${weight}`]],
  },
  {
    name: "max",
    form: "max=QUOTA/PERIOD",
    meaning: `at most QUOTA usec of CPU in every PERIOD usec (${DEFAULT_PERIOD_USEC})`,
    allowed: `QUOTA from ${LEAST_USEC} to ${MAX_QUOTA_USEC} and PERIOD from ${LEAST_USEC} to ${MAX_PERIOD_USEC} usec`,
    since: "4.15",
    controller: "cpu",
    read: readMax,
    write: ({ max }) => (max === undefined ? null : `max=${max.quotaUsec}/${max.periodUsec}`),
    files: ({ max }) => [["cpu.max", `${max?.quotaUsec} ${max?.periodUsec}`]],
  },
  {
    name: "uclamp",
    form: "uclamp=MIN-MAX",
    meaning: "bounds for how busy it looks, of 1024",
    allowed: "MIN and MAX from 0 to 1024, MIN not above MAX",
    since: "5.4, with CONFIG_UCLAMP_TASK_GROUP",
    controller: "cpu",
    read: readUclamp,
    write: ({ uclamp }) => (uclamp === undefined ? null : `uclamp=${uclamp.min}-${uclamp.max}`),
    files: ({ uclamp }) => [
      ["cpu.uclamp.max", percentOf(uclamp?.max ?? FULL_UTILISATION)],
      ["cpu.uclamp.min", percentOf(uclamp?.min ?? 0)],
    ],
  },
  {
    name: "idle",
    form: "idle",
    meaning: "runs only when no other group wants the CPU",
    allowed: "no value",
    since: "5.15",
    controller: "cpu",
    read: (text) => (text === null ? { idle: true } : null),
    write: ({ idle }) => (idle === undefined ? null : "idle"),
    files: () => [["cpu.idle", "1"]],
  },
  {
    name: "cpus",
    form: "cpus=CPUS",
    meaning: "the CPUs that it may use, such as 0-3,8",
    allowed: "a list of CPUs such as 0-3,8",
    since: "5.0",
    controller: "cpuset",
    read: (text) => {
      const { cpus } = readCpuList(text ?? "");
      return cpus === null ? null : { cpus };
    },
    write: ({ cpus }) => (cpus === undefined ? null : `cpus=${formatCpuList(cpus)}`),
    files: ({ cpus }) => [["cpuset.cpus", formatCpuList(cpus ?? [])]],
  },
] as const satisfies readonly Entry[];

const ENTRIES: readonly Entry[] = CGROUP_SETTINGS;

/** Outcome of reading: the settings, or what would have been allowed. */
export type CgroupReading =
  | { readonly value: CgroupSettings; readonly problem: null }
  | { readonly value: null; readonly problem: string };

const refuse = (problem: string): CgroupReading => ({ value: null, problem });

/** `cpus=0-3`, `8`: what goes on with a number belongs to the list before it. */
const partsOf = (text: string): readonly string[] => {
  const parts: string[] = [];
  for (const piece of text.split(/[,+]/)) {
    const last = parts.at(-1);
    if (/^\d+(-\d+)?$/.test(piece) && last?.startsWith("cpus=") === true) parts[parts.length - 1] = `${last},${piece}`;
    else parts.push(piece);
  }
  return parts;
};

/** Reads the settings of a group without throwing; for callers that add what they were for. */
export const readCgroupSettings = (text: string): CgroupReading => {
  const parts = partsOf(text);
  let value: CgroupSettings = {};
  for (const part of parts) {
    const equals = part.indexOf("=");
    const name = equals < 0 ? part : part.slice(0, equals);
    const entry = ENTRIES.find((one) => one.name === name);
    if (entry === undefined) return refuse(`${ENTRIES.map(({ form }) => form).join(", ")}, but not "${part}"`);
    if (entry.name in value) return refuse(`${name} once`);
    const read = entry.read(equals < 0 ? null : part.slice(equals + 1));
    if (read === null) return refuse(`${entry.form}, ${entry.allowed}${parts.length > 1 ? `, but not "${part}"` : ""}`);
    value = { ...value, ...read };
  }
  if (value.idle !== undefined && value.weight !== undefined)
    return refuse("idle or weight=N, not both: an idle group has no weight");
  return { value, problem: null };
};

/** The text that reads back as these settings. */
export const formatCgroupSettings = (settings: CgroupSettings): string => {
  return ENTRIES.flatMap(({ write }) => write(settings) ?? []).join(",");
};

/** The files that settings are written to, in order. */
export const cgroupFiles = (settings: CgroupSettings): readonly CgroupFile[] => {
  return ENTRIES.filter(({ name }) => name in settings).flatMap(({ files }) => files(settings));
};

/** The controllers that a group with these settings needs; `cpu` always, for what it counts. */
export const cgroupControllers = (settings: CgroupSettings): readonly ("cpu" | "cpuset")[] => {
  const named = ENTRIES.filter(({ name }) => name in settings).map(({ controller }) => controller);
  return [...new Set<"cpu" | "cpuset">(["cpu", ...named])];
};

/** Which Linux brought a file of a group, for messages; null for a file of no setting. */
export const sinceOfFile = (file: string): string | null => {
  const all: CgroupSettings = {
    weight: 1,
    max: { quotaUsec: 1, periodUsec: 1 },
    uclamp: { min: 0, max: 0 },
    idle: true,
    cpus: [],
  };
  return ENTRIES.find(({ files }) => files(all).some(([name]) => name === file))?.since ?? null;
};

/** A line for each setting, for the help. */
export const cgroupHelp = (): readonly string[] =>
  CGROUP_SETTINGS.map(({ form, meaning }) => `  ${form.padEnd(17)} ${meaning}`);
