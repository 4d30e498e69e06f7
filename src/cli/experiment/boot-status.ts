/** `ab --status STORE`: how far an experiment is, from its files alone; so from any boot, and from any machine that sees them. */
import { type Boot, bootsOf } from "../../experiment/boots.js";
import { counted } from "../../counted.js";
import { EXIT, type ExitCode, UserError } from "../../errors.js";
import { experimentReader, type StoredExperiment } from "../../experiment/read-experiment.js";
import { type ExperimentHeader, type RunRecord, sameSlot, settles } from "../../experiment/record.js";
import { secondsLeft } from "../../experiment/time-left.js";
import { type BootEvent, eventsIn, journalPath } from "../../laboratory/reboot/boot-journal.js";
import type { OptionSpec } from "../../options/line/option-table.js";
import { durationText } from "../../render/progress.js";
import { alignedRows, type Cell } from "../../render/table.js";
import type { Io } from "../io/command.js";
import type { ExperimentWorld } from "../io/experiment-world.js";

/** The option. */
export const statusOption = {
  id: "status",
  kind: "file",
  long: ["status"],
  group: "Output",
  meaning: "run nothing, but show how far the experiment in this file is",
  valueName: "STORE",
} as const satisfies OptionSpec;

const MSEC_PER_SEC = 1000;
/** So many of the last events are shown. */
const LAST_EVENTS = 5;

const readStore = async (path: string, world: Pick<ExperimentWorld, "storeFiles">): Promise<StoredExperiment> => {
  const batches = await world.storeFiles.read(path);
  if (batches === null) throw new UserError(`cannot read "${path}": there is no such file`, "Name the file of -o.");
  const reader = experimentReader(path);
  for await (const { lines } of batches) for (const line of lines) reader.take(line);
  const stored = reader.end("");
  if (stored === null) throw new UserError(`"${path}" holds no experiment yet`, "Name the file of -o.");
  return stored;
};

const readJournal = async (
  store: string,
  world: Pick<ExperimentWorld, "storeFiles">,
): Promise<readonly BootEvent[]> => {
  const batches = await world.storeFiles.read(journalPath(store));
  const lines: string[] = [];
  if (batches !== null) for await (const batch of batches) lines.push(...batch.lines);
  return eventsIn(lines.join("\n"));
};

/** A boot with what is stored of it. */
interface Progress extends Boot {
  readonly done: number;
  readonly asked: number;
  readonly missed: number;
}

const progressOf = (boot: Boot, records: readonly RunRecord[], events: readonly BootEvent[]): Progress => {
  const count = (kind: BootEvent["event"]["kind"]): number =>
    events.filter(
      ({ event }) =>
        event.kind === kind && "subject" in event && event.subject === boot.subject && event.boot === boot.boot,
    ).length;
  return {
    ...boot,
    done: boot.slots.filter((slot) => records.some((record) => settles(record) && sameSlot(record.slot, slot))).length,
    asked: count("asked"),
    missed: count("missed"),
  };
};

/** Seconds from the asking for a boot until its kernel was up, on average; null: there was none. */
const bootSec = (events: readonly BootEvent[]): number | null => {
  const took: number[] = [];
  let askedMsec: number | null = null;
  for (const { at, event } of events) {
    if (event.kind === "asked") askedMsec = Date.parse(at);
    else if (event.kind === "up" && askedMsec !== null) {
      took.push((Date.parse(at) - askedMsec) / MSEC_PER_SEC);
      askedMsec = null;
    }
  }
  return took.length === 0 ? null : took.reduce((sum, value) => sum + value, 0) / took.length;
};

const timeText = (
  header: ExperimentHeader,
  boots: readonly Progress[],
  records: readonly RunRecord[],
  events: readonly BootEvent[],
): string => {
  const open = boots
    .flatMap(({ slots }) => slots)
    .filter((slot) => !records.some((record) => settles(record) && sameSlot(record.slot, slot)));
  const runSec = secondsLeft(open, header.cells, records);
  if (open.length === 0 || runSec === null) return "";
  const perBoot = bootSec(events);
  const toBoot = boots.filter(({ done }) => done === 0).length;
  return perBoot === null
    ? `, about ${durationText(runSec)} of runs left`
    : `, about ${durationText(runSec + toBoot * perBoot)} left, ${durationText(perBoot)} of them for each boot`;
};

const rowOf = (header: ExperimentHeader, boot: Progress): readonly Cell[] => {
  const where = header.subjects.find(({ name }) => name === boot.subject)?.place;
  return [
    boot.subject,
    `boot ${boot.boot}`,
    where === undefined ? "here" : where.kernel,
    `${boot.done} of ${counted(boot.slots.length, "run")}`,
    boot.asked === 0 ? "" : `asked for ${counted(boot.asked, "time")}`,
    boot.missed === 0 ? "" : `did not come up ${counted(boot.missed, "time")}`,
  ].map((text) => ({ text }));
};

/** What comes next, as a line. */
const nextLine = (header: ExperimentHeader, boots: readonly Progress[], events: readonly BootEvent[]): string => {
  const next = boots.find(({ done, slots }) => done < slots.length);
  if (next === undefined) return "next: nothing, all runs are made";
  const last = events.at(-1)?.event;
  const where = header.subjects.find(({ name }) => name === next.subject)?.place;
  const what = `${next.subject}, boot ${next.boot}${where === undefined ? "" : `: ${where.kernel}`}`;
  if (last?.kind === "ended") return `next: ${what}, when the command is run again; it does not go on by itself`;
  return `next: ${what}`;
};

/** The status as text. */
const statusText = (path: string, { header, records }: StoredExperiment, events: readonly BootEvent[]): string => {
  const boots = bootsOf(header).map((boot) => progressOf(boot, records, events));
  const total = boots.reduce((sum, { slots }) => sum + slots.length, 0);
  const done = boots.reduce((sum, boot) => sum + boot.done, 0);
  const words = events.slice(-LAST_EVENTS).map(({ at, says }) => `  ${at.slice(0, 19)}Z  ${says}`);
  return [
    `${path}: ${done} of ${counted(total, "run")} are done${timeText(header, boots, records, events)}`,
    "",
    ...alignedRows(boots.map((boot) => rowOf(header, boot))),
    "",
    nextLine(header, boots, events),
    ...(words.length === 0 ? [] : ["last words:", ...words]),
    "",
  ].join("\n");
};

/** Shows how far an experiment is. */
export const showStatus = async (path: string, world: ExperimentWorld, io: Io): Promise<ExitCode> => {
  io.stdout.write(statusText(path, await readStore(path, world), await readJournal(path, world)));
  return EXIT.ok;
};
