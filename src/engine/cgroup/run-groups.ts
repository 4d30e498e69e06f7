/**
 * The control groups of one run: made before its threads, which join them, and removed when these are gone. What the
 * kernel counts of each is read at both ends of the measured time. No upstream counterpart.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { at } from "../../at.js";
import { EngineError } from "../../errors.js";
import { gain } from "../../known.js";
import type { CgroupResult, CgroupSettings } from "../../model/plan/cgroup-plan.js";
import { CGROUP_ROLES, type CgroupRole } from "../../model/plan/cgroup-roles.js";
import type { RunPlan } from "../../model/plan/run-plan.js";
import {
  cgroupControllers,
  cgroupFiles,
  formatCgroupSettings,
  sinceOfFile,
} from "../../options/values/cgroup-language.js";
import { type Files, fieldOf } from "../../platform/files.js";
import { USEC_PER_SEC } from "../../units.js";
import { codeOf } from "../../file-reason.js";
import type { GroupFiles } from "./group-files.js";
import { cannotMake, endsOf, type GroupHome, openHome, versionTwoFolders } from "./group-home.js";
import { type Controller, startOf } from "./group-name.js";
import { clearLeftovers } from "./leftovers.js";

/** The groups of one run. */
export interface RunGroups {
  /** The open cgroup.threads of a role's group, which a thread writes to to join; 0: it has none. */
  readonly descriptorOf: (role: CgroupRole) => number;
  /** Puts a process into the group of the loads, if there is one. */
  readonly placeLoad: (pid: number) => void;
  /** What is counted from now on counts; called again, it counts from then. */
  readonly beginMeasured: () => void;
  readonly endMeasured: () => readonly CgroupResult[];
  /** Removes the groups; their threads have ended. Never throws. */
  readonly remove: () => Promise<void>;
}

interface Group {
  readonly role: CgroupRole;
  readonly folder: string;
  readonly descriptor: number;
  readonly settings: Readonly<Record<string, string>>;
}

/** What a group counts, so far; null where the kernel does not. */
interface Counts {
  readonly cpuUsec: number | null;
  readonly periods: number | null;
  readonly throttledPeriods: number | null;
  readonly throttledUsec: number | null;
  readonly someUsec: number | null;
  readonly fullUsec: number | null;
}

/** So often, and after such a pause, it is tried to remove a group whose last thread is just ending. */
const ATTEMPTS = 50;
const ATTEMPT_MSEC = 20;

const settingsOf = (plan: RunPlan): Readonly<Record<CgroupRole, CgroupSettings | undefined>> => ({
  message: plan.messageCgroup,
  worker: plan.workerCgroup,
  load: plan.loads === undefined ? undefined : plan.loadCgroup,
});

const numberIn = (text: string, field: string): number | null => {
  const value = fieldOf(text, field);
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
};

/** Pure: the microseconds of one line of a PSI file. */
const pressureIn = (text: string, line: "some" | "full"): number | null => {
  const total = new RegExp(`^${line} .*total=(\\d+)`, "m").exec(text)?.[1];
  return total === undefined ? null : Number(total);
};

const readCounts = (files: Pick<GroupFiles, "readText">, folder: string): Counts => {
  const stat = files.readText(`${folder}/cpu.stat`) ?? "";
  const pressure = files.readText(`${folder}/cpu.pressure`) ?? "";
  return {
    cpuUsec: numberIn(stat, "usage_usec"),
    periods: numberIn(stat, "nr_periods"),
    throttledPeriods: numberIn(stat, "nr_throttled"),
    throttledUsec: numberIn(stat, "throttled_usec"),
    someUsec: pressureIn(pressure, "some"),
    fullUsec: pressureIn(pressure, "full"),
  };
};

const seconds = (usec: number | null): number | null => (usec === null ? null : usec / USEC_PER_SEC);

/** Writes one file of a group and reads it back. */
const set = (files: GroupFiles, folder: string, [file, text]: readonly [string, string], wanted: string): string => {
  try {
    files.write(`${folder}/${file}`, text);
  } catch (error) {
    const code = codeOf(error);
    const reason =
      code === "ENOENT"
        ? `this kernel has no ${file} (Linux ${sinceOfFile(file)})`
        : `writing "${text}" to ${file} failed, ${code}`;
    throw new EngineError(`cannot set "${wanted}" of a control group: ${reason}`, "Leave that setting out.", {
      cause: error,
    });
  }
  return files.readText(`${folder}/${file}`)?.trim() ?? "";
};

const makeGroup = (files: GroupFiles, home: GroupHome, role: CgroupRole, settings: CgroupSettings): Group => {
  const folder = home.folderOf(role);
  try {
    files.makeFolder(folder);
    // Threads of one process are in several groups only where these are threaded.
    files.write(`${folder}/cgroup.type`, "threaded");
  } catch (error) {
    throw cannotMake(folder, error);
  }
  const wanted = formatCgroupSettings(settings);
  const written = cgroupFiles(settings).map((file) => [file[0], set(files, folder, file, wanted)] as const);
  return {
    role,
    folder,
    descriptor: files.open(`${folder}/cgroup.threads`),
    settings: Object.fromEntries(written),
  };
};

const removeFolder = async (files: GroupFiles, folder: string): Promise<void> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      files.removeFolder(folder);
      return;
    } catch (error) {
      if (codeOf(error) !== "EBUSY") return;
      await sleep(ATTEMPT_MSEC);
    }
  }
};

const NO_GROUPS: RunGroups = {
  descriptorOf: () => 0,
  placeLoad: () => undefined,
  beginMeasured: () => undefined,
  endMeasured: () => [],
  remove: async () => undefined,
};

/** A run without groups of its own still puts away what killed ones have left. */
const withoutGroups = (proc: Files, files: GroupFiles): RunGroups => {
  try {
    clearLeftovers(files, Object.values(endsOf(versionTwoFolders(proc))));
  } catch {
    // No version 2, no groups.
  }
  return NO_GROUPS;
};

const ownProcess = (files: GroupFiles, pid: number) => ({
  pid,
  start: startOf(files.readText(`/proc/${pid}/stat`)) ?? 0,
});

const pathBelowTop = (folders: readonly string[], folder: string): string => folder.slice(endsOf(folders).top.length);

const resultOf = (group: Group, path: string, before: Counts, after: Counts): CgroupResult => ({
  role: group.role,
  path,
  settings: group.settings,
  cpuSec: seconds(gain(before.cpuUsec, after.cpuUsec)),
  periods: gain(before.periods, after.periods),
  throttledPeriods: gain(before.throttledPeriods, after.throttledPeriods),
  throttledSec: seconds(gain(before.throttledUsec, after.throttledUsec)),
  somePressureSec: seconds(gain(before.someUsec, after.someUsec)),
  fullPressureSec: seconds(gain(before.fullUsec, after.fullUsec)),
});

/**
 * Makes the groups of a plan.
 *
 * @param proc what /proc says of this process
 * @param pid of this process
 * @throws EngineError when one cannot be made, or takes a setting not
 */
export const openGroups = async (plan: RunPlan, proc: Files, files: GroupFiles, pid: number): Promise<RunGroups> => {
  const asked = settingsOf(plan);
  const wanted = CGROUP_ROLES.flatMap((role) => {
    const settings = asked[role];
    return settings === undefined ? [] : [{ role, settings }];
  });
  if (wanted.length === 0) return withoutGroups(proc, files);
  const folders = versionTwoFolders(proc);
  clearLeftovers(files, Object.values(endsOf(folders)));
  const controllers = [...new Set<Controller>(wanted.flatMap(({ settings }) => cgroupControllers(settings)))];
  const home = openHome(files, folders, ownProcess(files, pid), controllers);
  const groups: Group[] = [];
  const remove = async (): Promise<void> => {
    for (const { descriptor } of groups) files.close(descriptor);
    for (const { role } of wanted) await removeFolder(files, home.folderOf(role));
    home.leave();
  };
  try {
    for (const { role, settings } of wanted) groups.push(makeGroup(files, home, role, settings));
  } catch (error) {
    await remove();
    throw error;
  }
  const of = (role: CgroupRole): Group | undefined => groups.find((group) => group.role === role);
  const read = (): readonly Counts[] => groups.map(({ folder }) => readCounts(files, folder));
  let before = read();
  return {
    descriptorOf: (role) => of(role)?.descriptor ?? 0,
    placeLoad: (loadPid) => {
      const group = of("load");
      if (group !== undefined) files.write(`${group.folder}/cgroup.procs`, `${loadPid}`);
    },
    beginMeasured: () => {
      before = read();
    },
    endMeasured: () => {
      const after = read();
      return groups.map((group, index) =>
        resultOf(group, pathBelowTop(folders, group.folder), at(before, index), at(after, index)),
      );
    },
    remove,
  };
};
