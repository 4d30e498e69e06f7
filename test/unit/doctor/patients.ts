/** The machines of test/unit/platform as the doctor meets them: with a second that passes and tools around. */
import type { Surroundings } from "../../../src/doctor/read-facts.js";
import { type FileTree, filesOf } from "../platform/machines.js";

/** What changes on the machine while the doctor sleeps, and what else differs from a quiet one. */
export interface Patient {
  readonly tree: FileTree;
  readonly afterSecond?: FileTree;
  readonly tracing?: Surroundings["tracing"];
  readonly versions?: Surroundings["versions"];
  /** By default there is one. */
  readonly nativeEngine?: Surroundings["nativeEngine"];
}

/** A compiler is there. */
export const EQUIPPED: FileTree = { "/usr/bin/gcc": "" };

/** One idle second on `cpus` CPUs, in ticks of 10 ms, after what `/proc/stat` of the tree says. */
export const idleSecond = (tree: FileTree, cpus: number, busyTicks = 0, stealTicks = 0): FileTree => {
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = (
    tree["/proc/stat"] ?? "cpu  0 0 0 0 0 0 0 0 0 0"
  )
    .split("\n", 1)
    .join("")
    .replace("cpu  ", "")
    .split(" ")
    .map(Number);
  const left = cpus * 100 - busyTicks - stealTicks;
  return {
    ...tree,
    "/proc/stat": `cpu  ${user + busyTicks} ${nice} ${system} ${idle + left} ${iowait} ${irq} ${softirq} ${steal + stealTicks} 0 0\n`,
  };
};

/** The surroundings in which the doctor meets a machine. */
export const surroundingsOf = ({ tree, afterSecond, tracing, versions, nativeEngine }: Patient): Surroundings => {
  let now = 50;
  const before = filesOf(tree);
  const after = filesOf(afterSecond ?? tree);
  const current = () => (now === 50 ? before : after);
  return {
    files: {
      readText: (path, maxBytes) => current().readText(path, maxBytes),
      readGzipText: (path) => current().readGzipText(path),
      list: (path) => current().list(path),
      exists: (path) => current().exists(path),
    },
    sleep: async (milliseconds) => {
      now += milliseconds / 1000;
    },
    nowSec: () => now,
    ownCpuSec: () => 0,
    versions: versions ?? { node: "20.20.2", v8: "11.3.244.8" },
    arch: tree["/proc/cpuinfo"]?.includes("CPU implementer") === true ? "arm64" : "x64",
    pid: 99,
    webAssembly: true,
    nativeEngine: nativeEngine ?? (() => ({ build: "x86-64-v3 gcc 12.2.0", reason: null })),
    searchPath: "/usr/local/bin:/usr/bin",
    tracing: tracing ?? (() => ({ ready: true })),
  };
};
