/**
 * Where the groups of a run are made: below the group that this process is in, or, where the controllers are not there and
 * this process may, in a group of its own at the top. The threads of one process can be split among groups only when
 * these are threaded, side by side below the group of the process.
 */
import { at } from "../../at.js";
import { EngineError } from "../../errors.js";
import { codeOf } from "../../file-reason.js";
import type { CgroupRole } from "../../model/plan/cgroup-roles.js";
import { cgroupFolders } from "../../platform/limits/cgroup.js";
import type { Files } from "../../platform/files.js";
import type { GroupFiles } from "./group-files.js";
import { type Controller, groupName, type GroupOwner } from "./group-name.js";

/** The group below which the groups of a run are made. */
export interface GroupHome {
  readonly owner: GroupOwner;
  /** The folder of the group of one role. */
  readonly folderOf: (role: CgroupRole) => string;
  /** Puts away what was made for the home; the groups in it are gone. Never throws. */
  readonly leave: () => void;
}

const DELEGATE =
  "Run it in a scope with delegation: systemd-run --user --scope -p Delegate=yes schbench-ts …, or as root (a container needs a writable /sys/fs/cgroup).";
const UNIFIED = "Boot with systemd.unified_cgroup_hierarchy=1, or with cgroup_no_v1=all, so that version 2 has it.";

/** Folders of version 2 from that of this process up to the top. Throws EngineError where version 2 cannot be used. */
export const versionTwoFolders = (files: Files): readonly string[] => {
  const found = cgroupFolders(files, "cpu");
  if (found === null)
    throw new EngineError(
      "cannot make a control group: no cgroup file system is mounted",
      "Mount it: mount -t cgroup2 none /sys/fs/cgroup.",
    );
  if (found.version === 1)
    throw new EngineError(
      `cannot make a control group: the cpu controller is in a hierarchy of version 1 here ("${found.folders.at(-1)}")`,
      UNIFIED,
    );
  return found.folders;
};

/** The group of this process, and the topmost that can be seen. */
export const endsOf = (folders: readonly string[]) => ({ own: at(folders, 0), top: at(folders, folders.length - 1) });

/** Words of a file that are there or not. */
const wordsOf = (files: GroupFiles, path: string): readonly string[] =>
  (files.readText(path) ?? "").trim().split(/\s+/);

/** Turns controllers on for the groups below a group; those that were not on before. */
const enable = (files: GroupFiles, folder: string, controllers: readonly Controller[]): readonly Controller[] => {
  const on = wordsOf(files, `${folder}/cgroup.subtree_control`);
  const missing = controllers.filter((controller) => !on.includes(controller));
  if (missing.length > 0) files.write(`${folder}/cgroup.subtree_control`, missing.map((one) => `+${one}`).join(" "));
  return missing;
};

/** Turns controllers off again, unless groups of other runs are still there. */
export const disable = (files: GroupFiles, folder: string, controllers: readonly Controller[]): void => {
  if (controllers.length === 0 || files.list(folder).some((name) => name.startsWith("schbench-ts-"))) return;
  try {
    files.write(`${folder}/cgroup.subtree_control`, controllers.map((one) => `-${one}`).join(" "));
  } catch {
    // Somebody else has come to need them.
  }
};

const quietly = (act: () => void): void => {
  try {
    act();
  } catch {
    // The next run looks for what is left.
  }
};

type Process = Pick<GroupOwner, "pid" | "start">;

/** Below the own group: this process stays where it is. */
const homeBelow = (
  files: GroupFiles,
  folder: string,
  process: Process,
  controllers: readonly Controller[],
): GroupHome => {
  const owner: GroupOwner = { ...process, enabled: enable(files, folder, controllers) };
  return {
    owner,
    folderOf: (role) => `${folder}/${groupName(owner, role)}`,
    leave: () => disable(files, folder, owner.enabled),
  };
};

/** In a group of its own at the top, into which this process moves for the run. */
const homeAtTop = (
  files: GroupFiles,
  [own, top]: readonly [own: string, top: string],
  process: Process,
  controllers: readonly Controller[],
): GroupHome => {
  const owner: GroupOwner = { ...process, enabled: enable(files, top, controllers) };
  const folder = `${top}/${groupName(owner)}`;
  const leave = (): void => {
    // What this process has started meanwhile is in it too.
    for (const pid of wordsOf(files, `${folder}/cgroup.procs`))
      if (pid !== "") quietly(() => files.write(`${own}/cgroup.procs`, pid));
    quietly(() => files.removeFolder(folder));
    disable(files, top, owner.enabled);
  };
  try {
    files.makeFolder(folder);
    files.write(`${folder}/cgroup.procs`, `${process.pid}`);
    enable(files, folder, controllers);
  } catch (error) {
    leave();
    throw error;
  }
  return { owner, folderOf: (role) => `${folder}/${role}`, leave };
};

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not",
  EPERM: "this user may not",
  EROFS: "it is mounted read-only",
  EBUSY: "other controllers are on there, or other groups with processes are below it",
  EOPNOTSUPP: "other controllers are on there, or other groups with processes are below it",
  ENOENT: "the controller is not delegated to it",
};

/** The error about a group that cannot be made. */
export const cannotMake = (folder: string, error: unknown): EngineError =>
  new EngineError(`cannot make a control group in "${folder}": ${REASONS[codeOf(error)] ?? String(error)}`, DELEGATE, {
    cause: error,
  });

/**
 * Opens the home for a run.
 *
 * @param folders of version 2, from that of this process up to the top
 * @throws EngineError when no group can be made there, with how to be allowed to
 */
export const openHome = (
  files: GroupFiles,
  folders: readonly string[],
  process: Process,
  controllers: readonly Controller[],
): GroupHome => {
  const { own, top } = endsOf(folders);
  const available = wordsOf(files, `${own}/cgroup.controllers`);
  let refusal: unknown = Object.assign(new Error("not delegated"), { code: "ENOENT" });
  if (controllers.every((controller) => available.includes(controller))) {
    try {
      return homeBelow(files, own, process, controllers);
    } catch (error) {
      refusal = error;
    }
  }
  if (own === top) throw cannotMake(own, refusal);
  try {
    return homeAtTop(files, [own, top], process, controllers);
  } catch {
    throw cannotMake(own, refusal);
  }
};
