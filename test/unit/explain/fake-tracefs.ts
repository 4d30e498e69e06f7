/** A tracefs in memory: files by path, an instance that is filled by the kernel when it is made, rings of pages. */
import type { TracefsPlatform } from "../../../src/explain/trace/tracefs.js";
import { KERNEL_EVENTS, PERIOD_EVENT } from "../../../src/explain/trace/trace-events.js";

const TRACEFS = "/sys/kernel/tracing";
const HEADER_PAGE = [
  "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;",
  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;",
  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;",
].join("\n");

/** What a fake tracefs does, and what became of it. */
export interface FakeTracefs {
  readonly platform: TracefsPlatform;
  readonly files: Map<string, string>;
  readonly instances: () => readonly string[];
  readonly openFiles: () => number;
  /** Pages that the kernel has ready on a CPU, for an instance that has this suffix, or none. */
  readonly ring: (cpu: number, suffix?: string) => Uint8Array[];
}

/** Knobs of a fake tracefs. */
export interface FakeTracefsOptions {
  readonly isRoot?: boolean;
  readonly isMounted?: boolean;
  /** The events that this kernel has, with their format files; default: those of --explain, without fields. */
  readonly events?: Readonly<Record<string, string>>;
  readonly withoutEvent?: string;
  readonly alive?: readonly number[];
  readonly refuseWrite?: (path: string) => boolean;
  readonly nowNsec?: () => number;
  readonly pidNamespace?: number;
  /** The threads of this process: the kernel's ids by those that they know themselves by. */
  readonly threads?: ReadonlyMap<number, number>;
}

/** A page without events that begins at a time. */
export const emptyPage = (timeNsec: number): Uint8Array => {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, timeNsec % 2 ** 32, true);
  view.setUint32(4, Math.floor(timeNsec / 2 ** 32), true);
  return bytes;
};

/** Makes a tracefs with two CPUs. */
export const fakeTracefs = (options: FakeTracefsOptions = {}): FakeTracefs => {
  const files = new Map<string, string>();
  const rings = new Map<string, Uint8Array[]>();
  const ringOf = (cpu: number, suffix = ""): Uint8Array[] => {
    const key = `${cpu} ${suffix}`;
    const pages = rings.get(key) ?? [];
    rings.set(key, pages);
    return pages;
  };
  let openFiles = 0;
  const formats =
    options.events ??
    Object.fromEntries(
      Object.keys(KERNEL_EVENTS).map((event) => [event, `name: ${event.split("/")[1]}\nID: 1\nformat:\n`]),
    );
  const events = Object.keys(formats);
  const directories = new Set<string>([TRACEFS]);
  if (options.isMounted !== false && options.isRoot !== false) {
    directories.add(`${TRACEFS}/instances`);
    files.set(`${TRACEFS}/trace_clock`, "[local] global mono boot");
    files.set(`${TRACEFS}/events/header_page`, HEADER_PAGE);
    for (const event of events)
      if (event !== options.withoutEvent) files.set(`${TRACEFS}/events/${event}/format`, formats[event] ?? "");
  }
  const list = (path: string): readonly string[] => [
    ...new Set(
      [...files.keys(), ...directories]
        .filter((name) => name.startsWith(`${path}/`))
        .map((name) => name.slice(path.length + 1).split("/")[0] ?? ""),
    ),
  ];
  const makeDirectory = (path: string): void => {
    directories.add(path);
    for (const name of ["tracing_on", "trace_clock", "buffer_size_kb", "options/overwrite"])
      files.set(`${path}/${name}`, "");
    for (const cpu of [0, 1]) files.set(`${path}/per_cpu/cpu${cpu}/stats`, "bytes: 0\nentries: 0\n");
    files.set(`${path}/trace`, "");
    for (const event of [...events, PERIOD_EVENT, "task/task_rename"]) {
      if (event !== options.withoutEvent) files.set(`${path}/events/${event}/enable`, "0");
    }
  };
  for (const tid of options.threads?.keys() ?? []) {
    files.set(`/proc/self/task/${tid}/comm`, "node\n");
    files.set(`/proc/self/task/${tid}/status`, `Name:\tnode\nNSpid:\t${tid}\n`);
  }
  /** As the kernel does it: in every instance that records renamings. */
  const recordRenaming = (tid: number, name: string): void => {
    for (const [path, enabled] of files) {
      const instance = /^(.*)\/events\/task\/task_rename\/enable$/.exec(path)?.[1];
      if (instance === undefined || enabled !== "1") continue;
      const text = `task_rename: pid=${options.threads?.get(tid)} oldcomm=node newcomm=${name} oom_score_adj=0`;
      files.set(
        `${instance}/trace`,
        `${files.get(`${instance}/trace`)}            node-1  [000] .....  1.000000: ${text}\n`,
      );
    }
  };
  const platform: TracefsPlatform = {
    pid: 4242,
    pidNamespace: options.pidNamespace ?? null,
    isRoot: options.isRoot ?? true,
    littleEndian: true,
    availableKib: 1_000_000,
    nowNsec: options.nowNsec ?? (() => 1_000_000_000),
    readText: (path) => {
      const text = files.get(path);
      if (text === undefined) throw new Error(`ENOENT: no such file, open '${path}'`);
      return text;
    },
    writeText: (path, text) => {
      if (options.refuseWrite?.(path) === true) throw new Error(`EPERM: operation not permitted, open '${path}'`);
      const renamed = /^\/proc\/self\/task\/(\d+)\/comm$/.exec(path)?.[1];
      if (renamed !== undefined) recordRenaming(Number(renamed), text);
      files.set(path, text);
    },
    makeDirectory,
    removeDirectory: (path) => {
      if (openFiles > 0) throw new Error("EBUSY: resource busy");
      directories.delete(path);
      for (const name of files.keys()) if (name.startsWith(`${path}/`)) files.delete(name);
    },
    list,
    exists: (path) => files.has(path) || directories.has(path),
    openPages: (path) => {
      const ring = ringOf(Number(/cpu(\d+)\//.exec(path)?.[1]), /schbench-ts-\d+-(\w+)\//.exec(path)?.[1]);
      openFiles++;
      return {
        read: (buffer) => {
          const page = ring.shift();
          if (page === undefined) return 0;
          buffer.set(page);
          return page.byteLength;
        },
        close: () => {
          openFiles--;
        },
      };
    },
    addressOf: () => "ffffffff81000000",
    isAlive: (pid) => options.alive?.includes(pid) ?? false,
  };
  return {
    platform,
    files,
    instances: () => list(`${TRACEFS}/instances`),
    openFiles: () => openFiles,
    ring: ringOf,
  };
};
