/**
 * The course of an experiment that boots its machine, beside its store: a line of JSON for each event, forced to the disk before
 * what it announces is done. So a power loss at any moment leaves known what was being tried, and so often.
 */
import { z } from "zod";
import type { Stay } from "../../experiment/laboratory.js";
import { jsonOrNull } from "../../json-or-null.js";
import type { RebootSystem } from "./system.js";

const kernelIdentity = z.object({
  release: z.string(),
  build: z.string().nullable(),
  buildId: z.string().nullable(),
});

const bootEvent = z.object({
  format: z.literal("schbench-ts/boots"),
  at: z.string(),
  /** Boot in which this was written. */
  bootId: z.string(),
  event: z.discriminatedUnion("kind", [
    /** The unit is put there; `usual` is the command line that the machine had. */
    z.object({ kind: z.literal("begun"), usual: z.string() }),
    /** A kernel is about to be booted; `made` runs of its stay are stored. */
    z.object({
      kind: z.literal("asked"),
      subject: z.string(),
      boot: z.number().int(),
      made: z.number().int(),
      commandLine: z.string().nullable(),
    }),
    /** Another kernel came up. */
    z.object({ kind: z.literal("missed"), subject: z.string(), boot: z.number().int() }),
    z.object({ kind: z.literal("up"), subject: z.string(), boot: z.number().int(), kernel: kernelIdentity }),
    z.object({ kind: z.literal("noisy"), subject: z.string(), boot: z.number().int() }),
    /** The unit is taken away. */
    z.object({ kind: z.literal("ended"), how: z.enum(["done", "failed", "stopped"]) }),
  ]),
  /** The same for people, a clause. */
  says: z.string(),
});

export type BootEvent = z.infer<typeof bootEvent>;
type Event = BootEvent["event"];
/** An event of a kind. */
type Of<K extends Event["kind"]> = Extract<Event, { kind: K }>;

/** Where the course of the experiment in a store is kept. */
export const journalPath = (store: string): string => `${store}.boots`;

/** The events in a text; a line that a power loss has cut is none. */
export const eventsIn = (text: string): readonly BootEvent[] =>
  text.split("\n").flatMap((line) => bootEvent.safeParse(jsonOrNull(line)).data ?? []);

/** What has happened so far, oldest first. */
export const readEvents = (store: string, { files }: Pick<RebootSystem, "files">): readonly BootEvent[] =>
  eventsIn(files.readText(journalPath(store)) ?? "");

/** Writes down an event. */
export const writeEvent = async (
  store: string,
  event: Event & { readonly bootId: string; readonly says: string },
  system: RebootSystem,
): Promise<void> => {
  const path = journalPath(store);
  const { bootId, says, ...what } = event;
  const line: BootEvent = {
    format: "schbench-ts/boots",
    at: new Date(system.nowMsec()).toISOString(),
    bootId,
    event: what,
    says,
  };
  // What a power loss has cut stays a line of its own.
  const before = system.files.readText(path) ?? "";
  await system.append(path, `${before === "" || before.endsWith("\n") ? "" : "\n"}${JSON.stringify(line)}\n`);
};

/** An event with the boot that it was written in. */
type Written<K extends Event["kind"]> = Of<K> & { readonly bootId: string };

/** The events since the unit was last put there: what went before has been seen to by a person. */
const sinceBegun = (events: readonly BootEvent[]): readonly BootEvent[] =>
  events.slice(
    Math.max(
      0,
      events.findLastIndex(({ event }) => event.kind === "begun"),
    ),
  );

const isOf = ({ subject, boot }: Pick<Stay, "boot"> & { readonly subject: string }, event: Event): boolean =>
  "subject" in event && event.subject === subject && event.boot === boot;

/** A stay by its names. */
const named = ({ subject, boot }: Pick<Stay, "subject" | "boot">) => ({ subject: subject.name, boot });

/** The boots that were asked for a stay, oldest first. */
export const asksFor = (
  events: readonly BootEvent[],
  stay: Pick<Stay, "subject" | "boot">,
): readonly Written<"asked">[] =>
  sinceBegun(events).flatMap(({ event, bootId }) =>
    event.kind === "asked" && isOf(named(stay), event) ? [{ ...event, bootId }] : [],
  );

/** How often a boot was asked for a stay since a run of it was last stored. */
export const triesOf = (events: readonly BootEvent[], stay: Pick<Stay, "subject" | "boot" | "own">): number =>
  asksFor(events, stay).filter(({ made }) => made === stay.own.length).length;

/** Whether this boot has had an event of a kind for a stay. */
export const hasHad = (
  events: readonly BootEvent[],
  kind: Event["kind"],
  stay: Pick<Stay, "subject" | "boot">,
  thisBoot: string,
): boolean =>
  events.some(({ event, bootId }) => event.kind === kind && bootId === thisBoot && isOf(named(stay), event));

/** The command line that the machine had before the experiment's first boot; null: it has not begun. */
export const usualCommandLine = (events: readonly BootEvent[]): string | null =>
  events.flatMap(({ event }) => (event.kind === "begun" ? [event.usual] : [])).at(0) ?? null;

/** The kernel with which a subject's first runs were made; undefined: there are none. */
export const firstKernelOf = (events: readonly BootEvent[], subject: string): Of<"up">["kernel"] | undefined =>
  events.flatMap(({ event }) => (event.kind === "up" && event.subject === subject ? [event.kernel] : [])).at(0);
