/** The machines of test/unit/platform as the doctor meets them: with a second that passes and tools around. */
import type { Surroundings } from "../../../src/doctor/read-facts.js";
import { type FileTree, filesOf } from "../platform/machines.js";

/** What changes on the machine while the doctor sleeps, and what else differs from a quiet one. */
export interface Patient {
  readonly tree: FileTree;
  readonly afterSecond?: FileTree;
  readonly tracing?: Surroundings["tracing"];
  readonly versions?: Surroundings["versions"];
}

/** Tools and a native engine are there; the second passes at once. */
export const EQUIPPED: FileTree = {
  "/usr/bin/gcc": "",
  "/package/dist/engine/engine-x86-64-v3.so": "",
  "/package/dist/engine/schbench.wasm": "",
};

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
export const surroundingsOf = ({ tree, afterSecond, tracing, versions }: Patient): Surroundings => {
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
    pid: 99,
    engineFolder: "/package/dist/engine",
    searchPath: "/usr/local/bin:/usr/bin",
    tracing: tracing ?? (() => ({ ready: true })),
  };
};
