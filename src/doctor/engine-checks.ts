/** Checks of what schbench-ts itself needs: Node, an engine, room for threads and memory. */
import { nativeRemedy } from "../platform/rebuilding.js";
import { threadsLeft } from "../platform/limits/thread-limits.js";
import { BYTES_PER_MIB } from "../units.js";
import { WEBASSEMBLY_REMEDY } from "../platform/web-assembly.js";
import { type Checks, bad, note, ok } from "./finding.js";

/** The oldest Node that package.json names. */
const OLDEST_NODE = [20, 19] as const;

/** Threads of `-m 4 -t 256`, which people do run. */
const MANY_THREADS = 1028;

/** Room for that many threads and the command. */
const ENOUGH_MEMORY_BYTES = 256 * BYTES_PER_MIB;

const isOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
};

/** What a run of ours needs. */
export const ENGINE_CHECKS = {
  webassembly: {
    title: "WebAssembly",
    judge: ({ webAssembly }) => (webAssembly ? null : bad("not in this Node", "nothing can run", WEBASSEMBLY_REMEDY)),
  },
  node: {
    title: "Node",
    judge: ({ host }) => {
      if (!isOld(host.node)) return ok(host.node);
      return bad(
        host.node,
        "schbench-ts is not tested on it and may fail",
        `Install Node ${OLDEST_NODE.join(".")} or newer.`,
      );
    },
  },
  engine: {
    title: "native engine",
    judge: ({ nativeEngine }) => {
      if (nativeEngine.build !== null) return ok(nativeEngine.build);
      return note(
        `not used: ${nativeEngine.reason}`,
        "the v8 engine runs instead: wakeups take a few µs longer, and each thread needs about 25 ms to start and 7 MB",
        nativeRemedy(nativeEngine.home),
      );
    },
  },
  compiler: {
    title: "C compiler",
    judge: ({ nativeEngine, compiler }) => {
      if (compiler !== null) return ok(compiler);
      if (nativeEngine.build !== null) return ok("none, none needed");
      // Nothing is built outside of a checkout.
      if (nativeEngine.home !== "checkout") return null;
      return note("none", "the native engine cannot be built here", "Install gcc or clang.");
    },
  },
  threads: {
    title: "threads",
    judge: ({ nearestThreadLimit }) => {
      if (nearestThreadLimit === null) return null;
      const { name, remedy } = nearestThreadLimit;
      const left = threadsLeft(nearestThreadLimit);
      const what = `${left} more can be started (limit: ${name})`;
      if (left >= MANY_THREADS) return ok(what);
      return note(what, `runs such as -m 4 -t 256 (${MANY_THREADS} threads) will not start`, remedy);
    },
  },
  memory: {
    title: "memory",
    judge: ({ availableMemoryBytes }) => {
      if (availableMemoryBytes === null) return null;
      const what = `${Math.floor(availableMemoryBytes / BYTES_PER_MIB)} MiB available`;
      if (availableMemoryBytes >= ENOUGH_MEMORY_BYTES) return ok(what);
      return note(
        what,
        "runs with many threads or large footprints (-F) will not start",
        "Free memory or raise memory.max.",
      );
    },
  },
} as const satisfies Checks;
