/**
 * A place that is this machine after a boot: for each stay, a boot of its own with the subject's kernel. This process ends with
 * every boot; a systemd unit starts the same command again, which finds in the store what has been made, and in the
 * journal beside it what was being tried.
 */
import { basename, dirname, resolve } from "node:path";
import { UserError } from "../../errors.js";
import type { Arrival, Ending, Place, Site, Stay } from "../../experiment/laboratory.js";
import { Interrupted } from "../../experiment/surroundings.js";
import type { Whereabouts } from "../../experiment/whereabouts.js";
import {
  asksFor,
  type BootEvent,
  firstKernelOf,
  hasHad,
  journalPath,
  readEvents,
  triesOf,
  usualCommandLine,
  writeEvent,
} from "./boot-journal.js";
import { type KernelFile, otherThan, readKernelFile, readRunningKernel, type RunningKernel } from "./kernels.js";
import { waitUntilQuiet } from "./quiet.js";
import { checkMachine } from "./reboot-check.js";
import { perform, stepLines } from "./steps.js";
import {
  type Continuation,
  installSteps,
  removeSteps,
  storeOfUnit,
  UNIT_FILE,
  UNIT_LINK,
  UNIT_NAME,
  unitText,
} from "./unit.js";
import type { RebootSystem } from "./system.js";
import { findWay, type Found } from "./ways.js";

/** Whereabouts of this kind. */
export type RebootWhereabouts = Extract<Whereabouts, { kind: "reboot" }>;

/** What such a place acts on. */
export interface RebootWorld {
  readonly system: RebootSystem;
  readonly site: Site;
  readonly continuation: () => Continuation;
}

/** A kernel that did not come up, or under which no run was finished, so often is given up. */
const MOST_TRIES = 3;

type Way = Exclude<Found, { fault: string }>;

const noWay = (kernel: string, faults: readonly string[]): UserError =>
  new UserError(
    `cannot boot this machine with "${kernel}": ${faults.join("; ")}`,
    "Install kexec-tools, or the kernel's package so that the boot loader has an entry for it.",
  );

/** Why this boot is not the one that was asked for; null: it is. */
const notAsked = (kernel: KernelFile, now: RunningKernel, commandLine: string | null): string | null => {
  const other = otherThan(kernel, now);
  if (other !== null) return other;
  if (commandLine === null || commandLine === now.commandLine) return null;
  return `command line "${now.commandLine}" instead of "${commandLine}"`;
};

/**
 * The place of subjects with this kernel on this machine.
 *
 * @param store absolute path of the experiment's file
 */
export const rebootPlace = (where: RebootWhereabouts, store: string, world: RebootWorld): Place => {
  const { system } = world;
  const continuation = world.continuation();
  const path = resolve(continuation.folder, where.kernel);
  const initrd = where.initrd === null ? null : resolve(continuation.folder, where.initrd);
  const name = basename(path);

  const wayTo = async (kernel: KernelFile, events: readonly BootEvent[]): Promise<Way> => {
    const usual = usualCommandLine(events) ?? readRunningKernel(system).commandLine;
    const found = await findWay({ kernel, usual, append: where.append }, where.by, system);
    if ("faults" in found) throw noWay(path, found.faults);
    return found;
  };

  const isOurs = (): boolean => {
    const text = system.files.readText(UNIT_FILE);
    // A power loss while it was taken away leaves a link to nothing, which starts nothing.
    if (text === null) return system.uid === 0 && system.files.list(dirname(UNIT_LINK)).includes(UNIT_NAME);
    return storeOfUnit(text) === store;
  };

  const putUnit = async (now: RunningKernel): Promise<void> => {
    const text = system.files.readText(UNIT_FILE);
    if (text === unitText(store, continuation) && system.files.exists(UNIT_LINK)) return;
    if (text === null)
      await writeEvent(
        store,
        { kind: "begun", usual: now.commandLine, bootId: now.bootId, says: "the experiment begins" },
        system,
      );
    await perform(system, installSteps(store, continuation));
  };

  const takeUnitAway = async (ending: Ending): Promise<void> => {
    if (!isOurs()) return;
    const { bootId } = readRunningKernel(system);
    const says = { done: "all runs are made", failed: `it failed: ${ending.message}`, stopped: "it was stopped" };
    await perform(system, removeSteps);
    await writeEvent(store, { kind: "ended", how: ending.how, bootId, says: says[ending.how] }, system);
  };

  const check = async (): Promise<void> => {
    const kernel = await readKernelFile(path, initrd, system);
    await wayTo(kernel, readEvents(store, system));
    checkMachine({ store, kernel: path }, continuation, system);
  };

  /** In the boot that was asked for. */
  const arrive = async (stay: Stay, now: RunningKernel, events: readonly BootEvent[], signal: AbortSignal) => {
    const { subject, boot } = stay;
    const { bootId, release, build, buildId } = now;
    const at = { subject: subject.name, boot, bootId };
    const first = firstKernelOf(events, subject.name);
    const changed = first === undefined ? null : otherThan(first, now);
    if (changed !== null)
      throw new UserError(
        `the kernel of subject "${subject.name}" was changed in the course of the experiment: ${changed}`,
        "Begin a new file with -o: runs of two kernels under one name cannot be judged.",
      );
    if (!hasHad(events, "up", stay, bootId)) {
      const says = `${subject.name}, boot ${boot}: ${release} is up${buildId === null ? "" : `, build id ${buildId}`}`;
      await writeEvent(store, { kind: "up", ...at, kernel: { release, build, buildId }, says }, system);
    }
    let busy: string | null;
    try {
      busy = await waitUntilQuiet(system, where.quietLimitSec, signal);
    } catch (thrown) {
      throw signal.aborted ? new Interrupted() : thrown;
    }
    if (busy !== null)
      await writeEvent(
        store,
        {
          kind: "noisy",
          ...at,
          says: `${subject.name}, boot ${boot}: not quiet after ${where.quietLimitSec} s, ${busy}`,
        },
        system,
      );
  };

  /** Has the machine boot, in another process than this one. */
  const depart = async (
    stay: Stay,
    way: Way,
    now: RunningKernel,
    events: readonly BootEvent[],
    missed: string | null,
  ) => {
    const { subject, boot } = stay;
    const tries = triesOf(events, stay);
    if (tries >= MOST_TRIES)
      throw new UserError(
        `gave up on subject "${subject.name}" after ${tries} boots for "${path}": ${missed ?? "none of its runs was finished"}`,
        `The machine's console says why. Then run the same command: it goes on from ${store}.`,
      );
    const says = `${subject.name}, boot ${boot}: starting ${name} by ${way.way}, try ${tries + 1} of ${MOST_TRIES}`;
    const { commandLine } = way;
    const made = stay.own.length;
    await writeEvent(
      store,
      { kind: "asked", subject: subject.name, boot, made, commandLine, bootId: now.bootId, says },
      system,
    );
    await perform(system, way.steps);
    return says;
  };

  const enter = async (stay: Stay, signal: AbortSignal): Promise<Arrival> => {
    const now = readRunningKernel(system);
    const kernel = await readKernelFile(path, initrd, system);
    const way = await wayTo(kernel, readEvents(store, system));
    if (signal.aborted) throw new Interrupted();
    await putUnit(now);
    const events = readEvents(store, system);
    const asked = asksFor(events, stay).at(-1);
    const isUsed = stay.others.some(({ bootId }) => bootId === now.bootId);
    let missed: string | null = null;
    if (asked !== undefined && asked.bootId !== now.bootId && !isUsed) {
      missed = notAsked(kernel, now, asked.commandLine);
      if (missed === null) {
        await arrive(stay, now, events, signal);
        const origin = () => ({ ...world.site.origin(), bootId: now.bootId, kernel: now.release });
        return { kind: "there", site: { ...world.site, origin }, leave: async () => undefined };
      }
      const { subject, boot } = stay;
      const says = `${subject.name}, boot ${boot}: ${name} did not come up, but ${missed}`;
      missed = `it came up with ${missed}`;
      if (!hasHad(events, "missed", stay, now.bootId))
        await writeEvent(store, { kind: "missed", subject: subject.name, boot, bootId: now.bootId, says }, system);
    }
    const says = await depart(stay, way, now, events, missed);
    return {
      kind: "later",
      message: `${missed === null ? "" : `${missed}; `}${says}; after the boot it goes on by itself: schbench-ts ab --status ${store}`,
    };
  };

  return {
    // An experiment that can never go on leaves no unit that tries to.
    check: async () => {
      try {
        await check();
      } catch (thrown) {
        if (thrown instanceof UserError && system.uid === 0)
          await takeUnitAway({ how: "failed", message: thrown.message });
        throw thrown;
      }
    },
    enter,
    close: takeUnitAway,
    plan: async ({ name: subject }) => {
      const kernel = await readKernelFile(path, initrd, system);
      const way = await wayTo(kernel, readEvents(store, system));
      const id = kernel.buildId === null ? "not known before its first boot" : kernel.buildId;
      return {
        refusal: await check().then(
          () => null,
          (thrown: unknown) => (thrown instanceof UserError ? thrown : Promise.reject(thrown)),
        ),
        once: installSteps(store, continuation).flatMap(stepLines),
        each: [
          `append to ${journalPath(store)}: ${subject} is asked for`,
          ...way.steps.flatMap(stepLines),
          `then, as the unit: check that uname -r is ${kernel.release}${kernel.build === null ? "" : `, uname -v ${kernel.build}`}`,
          `  and the build id in /sys/kernel/notes ${id}; if not, try again, ${MOST_TRIES} times in all`,
          `  wait until the machine is quiet, at most ${where.quietLimitSec} s`,
        ],
        end: removeSteps.flatMap(stepLines),
      };
    },
  };
};
