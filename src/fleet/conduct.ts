/**
 * The whole experiment on one machine: our command there runs what is left of it and writes each run as it lands; here it is
 * kept. What ends in between loses the run in progress and no other.
 */
import { UserError } from "../errors.js";
import { type ExperimentHeader, madeOn, type RunRecord, settles } from "../experiment/record.js";
import { openSlots } from "../experiment/runner.js";
import { schedule } from "../experiment/schedule.js";
import { type Store, headerDifferences } from "../experiment/store.js";
import { headerIn, isJson, recordReader } from "../experiment/stored-lines.js";
import { quoteOutput } from "../experiment/surroundings.js";
import { remoteCommand } from "./ask.js";
import type { LinkEnd, OpenLink } from "./link.js";
import type { Machine } from "./machine.js";
import { ownWordsIn } from "./own-words.js";

/** The other side writes an empty line this often while it runs. */
export const ALIVE_MSEC = 10_000;
/** A machine that says nothing for so long is gone. */
const PATIENCE_MSEC = 6 * ALIVE_MSEC;

/** One machine's part. */
export interface Part {
  readonly machine: Machine;
  readonly store: Store;
  /** The experiment's command line there, from `ab` on. */
  readonly words: readonly string[];
}

/** How a part ended. */
export type PartEnd =
  | { readonly kind: "done" }
  | { readonly kind: "interrupted" }
  /** The machine is gone, or a run failed there. */
  | { readonly kind: "lost"; readonly fault: UserError };

/** What conducting needs. */
export interface Conducting {
  readonly program: readonly string[];
  readonly open: OpenLink;
  readonly signal: AbortSignal;
  /** Told of each run that is kept. */
  readonly landed: (machine: Machine, record: RunRecord) => void;
  /** Default: several of the other side's signs of life. */
  readonly patienceMsec?: number;
}

/**
 * How many of an experiment's runs are done: they are made in order, so that a number says which.
 *
 * @throws UserError for a file in which a later run is there and an earlier one is not
 */
export const runsDone = (header: ExperimentHeader, records: readonly RunRecord[], path: string): number => {
  const all = schedule(header);
  const open = openSlots(all, records);
  const done = all.length - open.length;
  if (all.slice(done).every((slot, index) => slot === open[index])) return done;
  throw new UserError(
    `cannot continue "${path}": an earlier run is missing and later ones are there`,
    "Name another directory with -o.",
  );
};

const faultOf = ({ name }: Machine, { exitCode, endedBy, stderr }: LinkEnd, isSilent: boolean): UserError => {
  const own = ownWordsIn(stderr);
  if (own !== null) return new UserError(`${name}: ${own.message}`, own.remedy);
  const how = isSilent
    ? `has said nothing for ${PATIENCE_MSEC / 1000} s`
    : exitCode === null
      ? `was cut off by ${endedBy ?? "a signal"}`
      : `was cut off with exit code ${exitCode}`;
  return new UserError(`${name} ${how}`, quoteOutput(stderr));
};

/** A line from there; a damaged one is no run, and so the run is made again. */
const takerFor = ({ store, machine }: Part) => {
  const source = `what ${machine.name} sends`;
  const read = recordReader(store.header, source);
  let isBegun = false;
  let number = 0;
  return (line: string): RunRecord | null => {
    number++;
    if (!line.startsWith("{") || !isJson(line)) return null;
    if (isBegun) return madeOn(read(line, number), machine.name);
    const differences = headerDifferences(store.header, headerIn(line, source));
    if (differences.length > 0)
      throw new UserError(`${machine.name} runs another experiment (different ${differences.join(", ")})`);
    isBegun = true;
    return null;
  };
};

/** Runs what is left of the experiment on one machine. Never throws for what happens there. */
export const conductPart = async (
  part: Part,
  { program, open, signal, landed, patienceMsec = PATIENCE_MSEC }: Conducting,
): Promise<PartEnd> => {
  const { machine, store, words } = part;
  const done = runsDone(store.header, store.records, store.path);
  const total = schedule(store.header).length;
  if (done === total) return { kind: "done" };
  const link = await open(remoteCommand(machine, program, ["run", String(done)], words));
  let isSilent = false;
  const watch = setTimeout(() => {
    isSilent = true;
    link.cut();
  }, patienceMsec);
  signal.addEventListener("abort", link.letGo, { once: true });
  if (signal.aborted) link.letGo();
  let settled = done;
  let fault: UserError | null = null;
  try {
    const take = takerFor(part);
    for await (const line of link.lines) {
      watch.refresh();
      const record = fault === null ? take(line) : null;
      if (record === null) continue;
      await store.append(record);
      if (settles(record)) settled++;
      landed(machine, record);
    }
  } catch (thrown) {
    if (!(thrown instanceof UserError)) throw thrown;
    fault = thrown;
    link.cut();
  } finally {
    clearTimeout(watch);
    signal.removeEventListener("abort", link.letGo);
  }
  const end = await link.ended;
  if (fault !== null) return { kind: "lost", fault };
  if (settled === total) return { kind: "done" };
  if (signal.aborted) return { kind: "interrupted" };
  return { kind: "lost", fault: faultOf(machine, end, isSilent) };
};
