/** Control groups of version 2 as a kernel would have them: folders, controllers, and who may do what. For tests. */
import type { GroupFiles } from "../../../../src/engine/cgroup/group-files.js";
import type { Files } from "../../../../src/platform/files.js";

interface Group {
  readonly files: Map<string, string>;
  busy: boolean;
}

/** What is special about a kernel of a test. */
export interface FakeKernel {
  /** The group of this process, below the mount point; empty: the top. */
  readonly own: string;
  /** Controllers of each group that is there from the beginning. */
  readonly controllers: Readonly<Record<string, string>>;
  /** Controllers that are on for the groups below. */
  readonly enabled?: Readonly<Record<string, string>>;
  /** What a write to a path throws. */
  readonly refuses?: (path: string, text: string) => string | null;
  /** Other files, such as /proc/7/stat. */
  readonly others?: Readonly<Record<string, string>>;
}

export const TOP = "/sys/fs/cgroup";

const thrown = (code: string): Error => Object.assign(new Error(code), { code });

/** What a stat file of a process that began at a tick reads like. */
export const statOf = (pid: number, start: number): string =>
  `${pid} (a b) S ${Array.from({ length: 18 }, () => "0").join(" ")} ${start} 0 0`;

const split = (path: string): readonly [folder: string, name: string] => {
  const slash = path.lastIndexOf("/");
  return [path.slice(0, slash), path.slice(slash + 1)];
};

/** A kernel with the files of its groups, and /proc of this process. */
export const fakeGroups = ({ own, controllers, enabled = {}, refuses, others = {} }: FakeKernel) => {
  const groups = new Map<string, Group>();
  const add = (folder: string, available: string): void => {
    const files = new Map([
      ["cgroup.controllers", available],
      ["cgroup.subtree_control", enabled[folder.slice(TOP.length)] ?? ""],
      ["cgroup.procs", ""],
      ["cgroup.threads", ""],
      ["cgroup.type", "domain"],
    ]);
    groups.set(folder, { files, busy: false });
  };
  for (const [path, available] of Object.entries(controllers)) add(`${TOP}${path}`, available);
  const log: string[] = [];
  const parts = (path: string) => {
    const [folder, name] = split(path);
    return { group: groups.get(folder), name };
  };
  const write = (path: string, text: string): void => {
    const code = refuses?.(path, text) ?? null;
    if (code !== null) throw thrown(code);
    const { group, name } = parts(path);
    if (group === undefined) throw thrown("ENOENT");
    log.push(`${path.slice(TOP.length)} ${text}`);
    if (name !== "cgroup.subtree_control") {
      if (name.startsWith("cpu") && !group.files.has(name)) group.files.set(name, "");
      if (!group.files.has(name)) throw thrown("ENOENT");
      group.files.set(name, `${text}\n`);
      return;
    }
    const on = new Set((group.files.get(name) ?? "").split(" ").filter((word) => word !== ""));
    for (const word of text.split(" ")) {
      if (word.startsWith("+")) on.add(word.slice(1));
      else on.delete(word.slice(1));
    }
    group.files.set(name, [...on].join(" "));
  };
  const files: GroupFiles = {
    readText: (path) => others[path] ?? parts(path).group?.files.get(parts(path).name) ?? null,
    list: (folder) => [...groups.keys()].filter((path) => split(path)[0] === folder).map((path) => split(path)[1]),
    write,
    makeFolder: (path) => {
      const code = refuses?.(path, "mkdir") ?? null;
      if (code !== null) throw thrown(code);
      log.push(`mkdir ${path.slice(TOP.length)}`);
      add(path, parts(path).group?.files.get("cgroup.subtree_control") ?? "");
    },
    removeFolder: (path) => {
      const group = groups.get(path);
      if (group === undefined) throw thrown("ENOENT");
      if (group.busy || [...groups.keys()].some((other) => split(other)[0] === path)) throw thrown("EBUSY");
      groups.delete(path);
      log.push(`rmdir ${path.slice(TOP.length)}`);
    },
    open: () => 7,
    close: () => undefined,
  };
  const proc: Files = {
    readText: (path) => {
      if (path === "/proc/self/cgroup") return `0::${own === "" ? "/" : own}\n`;
      if (path === "/proc/self/mountinfo") return `25 20 0:22 / ${TOP} rw - cgroup2 cgroup2 rw\n`;
      return null;
    },
    readGzipText: () => null,
    list: () => [],
    exists: () => false,
  };
  return {
    files,
    proc,
    log,
    folders: () => [...groups.keys()].map((path) => path.slice(TOP.length)).toSorted(),
    enabledIn: (path: string) => groups.get(`${TOP}${path}`)?.files.get("cgroup.subtree_control") ?? null,
    set: (path: string, file: string, text: string) => groups.get(`${TOP}${path}`)?.files.set(file, text),
    setBusy: (path: string, busy: boolean) => {
      const group = groups.get(`${TOP}${path}`);
      if (group !== undefined) group.busy = busy;
    },
  };
};
