/**
 * Where this process stands in the control groups: the folders from its own group up to the top of what can be seen,
 * for one controller. Knows version 2, version 1 and machines that have both, with and without a namespace.
 */
import type { Files } from "../files.js";

/** Folders of one controller, this process's own first, the topmost visible one last. */
export interface CgroupFolders {
  readonly version: 1 | 2;
  readonly folders: readonly string[];
}

interface Mount {
  readonly version: 1 | 2;
  readonly root: string;
  readonly mountPoint: string;
  /** Version 1: the controllers of this hierarchy. */
  readonly controllers: readonly string[];
}

/** The path of this process's group per controller of version 1, and in version 2 under the empty name. */
const parsePaths = (procSelfCgroup: string): ReadonlyMap<string, string> => {
  const paths = new Map<string, string>();
  for (const line of procSelfCgroup.split("\n")) {
    const match = /^\d+:([^:]*):(.*)$/u.exec(line);
    for (const controller of match?.[1]?.split(",") ?? []) paths.set(controller, match?.[2] ?? "/");
  }
  return paths;
};

const unescape = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/gu, (_, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)));

const parseMounts = (mountinfo: string): readonly Mount[] => {
  const mounts: Mount[] = [];
  for (const line of mountinfo.split("\n")) {
    if (!line.includes(" - cgroup")) continue;
    const [left = "", right = ""] = line.split(" - ");
    const [, , , root = "/", mountPoint = ""] = left.split(" ");
    const [type = "", , options = ""] = right.split(" ");
    mounts.push({
      version: type === "cgroup2" ? 2 : 1,
      root: unescape(root),
      mountPoint: unescape(mountPoint),
      controllers: type === "cgroup2" ? [] : options.split(","),
    });
  }
  return mounts;
};

/** The path below the mount point; a group outside of what is mounted here is taken to be the mount's own. */
const pathBelow = (mount: Mount, path: string): string => {
  if (path.startsWith("/..")) return "";
  if (mount.root === "/") return path === "/" ? "" : path;
  return path.startsWith(`${mount.root}/`) ? path.slice(mount.root.length) : "";
};

const upwards = (mountPoint: string, below: string): readonly string[] => {
  const folders: string[] = [];
  for (let rest = below; rest !== ""; rest = rest.slice(0, rest.lastIndexOf("/"))) folders.push(`${mountPoint}${rest}`);
  return [...folders, mountPoint];
};

/**
 * The folders of a controller (`cpu`, `memory`, `pids`), or null where no hierarchy has it.
 *
 * A version 1 hierarchy of that controller goes before version 2, since a controller can be in one of them only.
 */
export const cgroupFolders = (files: Files, controller: string): CgroupFolders | null => {
  const paths = parsePaths(files.readText("/proc/self/cgroup") ?? "");
  const mounts = parseMounts(files.readText("/proc/self/mountinfo") ?? "");
  const first = mounts.find((mount) => mount.controllers.includes(controller));
  const path = paths.get(controller);
  if (first !== undefined && path !== undefined) {
    return { version: 1, folders: upwards(first.mountPoint, pathBelow(first, path)) };
  }
  const second = mounts.find((mount) => mount.version === 2);
  if (second === undefined) return null;
  return { version: 2, folders: upwards(second.mountPoint, pathBelow(second, paths.get("") ?? "/")) };
};
