/**
 * The language of `--load`: `spin:4`, `duty:2:300/1000`, `none`, or a command. One table of the built-in loads is behind
 * reading, writing and help. Pure.
 */
import { UsageError } from "../../errors.js";
import type { BuiltInLoad, LoadPlan } from "../../model/plan/load-plan.js";
import { splitWords } from "./shell-words.js";
import { UnknownNameError } from "./unknown-name.js";

/** More threads of one load than this are a slip of the pen. */
const MAX_LOAD_THREADS = 4096;
/** Longest period of a duty load: a minute. */
const MAX_PERIOD_USEC = 60_000_000;

const COUNT = /^\d+$/;
const DUTY = /^(\d+):(\d+)\/(\d+)$/;

interface BuiltIn {
  /** As it is written. */
  readonly form: string;
  readonly example: string;
  readonly meaning: string;
  /** The load of what stands behind the colon; null: it does not have the form. */
  readonly read: (rest: string) => BuiltInLoad | null;
}

const threadsOf = (text: string): number | null => {
  const threads = COUNT.test(text) ? Number(text) : 0;
  return threads >= 1 && threads <= MAX_LOAD_THREADS ? threads : null;
};

const simple = (kind: "spin" | "memory") => (rest: string) => {
  const threads = threadsOf(rest);
  return threads === null ? null : { kind, threads };
};

const readDuty = (rest: string): BuiltInLoad | null => {
  const [, count = "", busy = "", period = ""] = DUTY.exec(rest) ?? [];
  const [threads, busyUsec, periodUsec] = [threadsOf(count), Number(busy), Number(period)];
  if (threads === null || busyUsec < 1 || busyUsec > periodUsec || periodUsec > MAX_PERIOD_USEC) return null;
  return { kind: "duty", threads, busyUsec, periodUsec };
};

/** The loads that need nothing installed. */
const BUILT_IN_LOADS = {
  spin: { form: "spin:N", example: "spin:4", meaning: "N threads that never pause", read: simple("spin") },
  duty: {
    form: "duty:N:BUSY/PERIOD",
    example: "duty:2:300/1000",
    meaning: "N threads that run for BUSY usec in every PERIOD usec",
    read: readDuty,
  },
  wake: {
    form: "wake:N",
    example: "wake:2",
    meaning: "N pairs of threads that wake each other",
    read: (rest) => {
      const pairs = threadsOf(rest);
      return pairs === null ? null : { kind: "wake", pairs };
    },
  },
  memory: {
    form: "memory:N",
    example: "memory:1",
    meaning: "N threads that stream through memory, 64 MiB each",
    read: simple("memory"),
  },
} as const satisfies Record<BuiltInLoad["kind"], BuiltIn>;

const isBuiltIn = (name: string): name is BuiltInLoad["kind"] => Object.hasOwn(BUILT_IN_LOADS, name);

/** How the built-in loads are written, as a list for people. */
export const loadForms = (): string =>
  Object.values(BUILT_IN_LOADS)
    .map(({ form }) => form)
    .join(", ");

/** A line for each, for the help. */
export const loadHelp = (): readonly string[] =>
  Object.values(BUILT_IN_LOADS).map(({ form, meaning }) => `  ${form.padEnd(18)} ${meaning}`);

/** One of each, for completions. */
export const loadExamples = (): readonly string[] => Object.values(BUILT_IN_LOADS).map(({ example }) => example);

/** A word and a colon, and no blank: what a built-in load looks like, and hardly any command. */
const LIKE_BUILT_IN = /^([a-z][a-z-]*)(?::(\S*))?$/;

/** The word for no load at all, so that a sweep can begin with it. */
export const NO_LOAD = "none";

const wrong = (name: BuiltInLoad["kind"], text: string): UsageError => {
  const { form, example } = BUILT_IN_LOADS[name];
  const more = name === "duty" ? `, BUSY from 1 to PERIOD, PERIOD up to ${MAX_PERIOD_USEC} usec` : "";
  return new UsageError(
    `invalid value "${text}" for --load: allowed is ${form}, N from 1 to ${MAX_LOAD_THREADS}${more}`,
    `For example --load ${example}; leave the option out, or say ${NO_LOAD}, for no load.`,
  );
};

/**
 * Reads one `--load`.
 *
 * @returns null for `none`
 * @throws UsageError for a built-in load that is not written as the table says, one that does not exist (UnknownNameError),
 *   and a command whose quotes are not closed
 */
export const readLoad = (text: string): LoadPlan | null => {
  if (text === NO_LOAD) return null;
  const [, name = "", rest] = LIKE_BUILT_IN.exec(text) ?? [];
  if (isBuiltIn(name)) {
    const load = rest === undefined ? null : BUILT_IN_LOADS[name].read(rest);
    if (load === null) throw wrong(name, text);
    return load;
  }
  if (rest !== undefined)
    throw new UnknownNameError(
      `unknown load "${name}" in --load "${text}": allowed are ${loadForms()}, ${NO_LOAD}, or a command`,
      name,
      Object.keys(BUILT_IN_LOADS),
    );
  if (splitWords(text).length === 0) throw new UsageError(`invalid value "${text}" for --load: the command is empty`);
  return { kind: "command", command: text };
};

/** A load as `--load` takes it. */
export const loadText = (load: LoadPlan): string => {
  if (load.kind === "command") return load.command;
  if (load.kind === "wake") return `wake:${load.pairs}`;
  if (load.kind === "duty") return `duty:${load.threads}:${load.busyUsec}/${load.periodUsec}`;
  return `${load.kind}:${load.threads}`;
};

/** How many threads of the engine a load has. */
export const loadThreads = (load: LoadPlan): number => {
  if (load.kind === "command") return 0;
  return load.kind === "wake" ? 2 * load.pairs : load.threads;
};
