/**
 * The native host: the engine module compiled ahead of time, loaded as a shared library, on plain pthreads (native/host.c).
 * No JavaScript engine runs in a benchmark thread.
 */
import { readdirSync } from "node:fs";
import { messageOf } from "../../errors.js";
import { PACKAGE_FILES } from "../../package-files.js";
import { fieldOf, hostFiles } from "../../platform/files.js";
import { asNumber, openLibrary } from "../../platform/libc.js";
import { threadLimits } from "../../platform/limits/thread-limits.js";
import { type EngineHost, ThreadNotCreated } from "./host.js";
import type { SharedMemory } from "../memory/shared-memory.js";

/** Stack, guard page and kernel stack of a thread; it touches less. */
const THREAD_BYTES = 40 * 1024;

/** Builds by what they ask of the CPU, the best first; the suffix of their file names. */
const VARIANTS = {
  x64: [
    { name: "x86-64-v3", flags: ["avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"] },
    { name: "x86-64", flags: [] },
  ],
  arm64: [{ name: "aarch64", flags: [] }],
} as const;

/** A library file for this CPU. */
export interface NativeBuild {
  readonly variant: string;
  readonly path: string;
}

const variantsHere = (): readonly { readonly name: string; readonly flags: readonly string[] }[] => {
  if (process.arch === "x64") return VARIANTS.x64;
  return process.arch === "arm64" ? VARIANTS.arm64 : [];
};

const filesBuilt = (): readonly string[] => {
  try {
    return readdirSync(PACKAGE_FILES.engineFolder);
  } catch {
    return [];
  }
};

/** The builds that this CPU can run, the best first; SCHBENCH_TS_NATIVE names a library to use instead. */
export const nativeBuilds = (): readonly NativeBuild[] => {
  const chosen = process.env["SCHBENCH_TS_NATIVE"];
  if (chosen !== undefined && chosen !== "") return [{ variant: "given", path: chosen }];
  const present = filesBuilt();
  const flags = new Set(fieldOf(hostFiles.readText("/proc/cpuinfo", 8192) ?? "", "flags")?.split(" "));
  return variantsHere().flatMap(({ name, flags: needed }) => {
    const file = `schbench-${name}.so`;
    if (!present.includes(file) || !needed.every((flag) => flags.has(flag))) return [];
    return [{ variant: name, path: `${PACKAGE_FILES.engineFolder}${file}` }];
  });
};

/** Why there is no native engine on this machine, in words that end a sentence. */
export const whyNoNativeBuild = (): string =>
  variantsHere().length === 0 ? `there is none for ${process.arch}` : "no library was built for this machine";

const open = ({ variant, path }: NativeBuild) => {
  const library = openLibrary(path);
  const compiler = library.func("const char* schbench_compiler()")();
  return {
    build: `${variant} ${typeof compiler === "string" ? compiler : "unknown compiler"}`,
    open: library.func("void schbench_open(uintptr_t memory, double bytes)"),
    start: library.func("uint schbench_start(uint setup)"),
    started: library.func("uint schbench_started()"),
    join: library.func("void schbench_join(uint setup)"),
  };
};

/** What a build says of itself; throws when it cannot be loaded. */
export const describeNativeBuild = (build: NativeBuild): string => open(build).build;

/**
 * Loads a build and binds it to a memory.
 *
 * @throws Error when the library cannot be loaded
 */
export const openNativeHost = (nativeBuild: NativeBuild, memory: SharedMemory): EngineHost => {
  const library = open(nativeBuild);
  library.open(memory.address, memory.bytes);
  return {
    kind: "native",
    build: library.build,
    threadBytes: THREAD_BYTES,
    threadsCreateThreads: true,
    start: (setup) => {
      const error = asNumber(library.start(setup));
      if (error !== 0) throw new ThreadNotCreated(`errno ${error}`, threadLimits(hostFiles));
    },
    started: () => asNumber(library.started()),
    failure: () => null,
    lost: () => 0,
    join: async (setups) => {
      for (const setup of setups) library.join(setup);
    },
  };
};

/** The first build that loads, or why none did. */
export const findNativeHost = (memory: SharedMemory): EngineHost | { readonly reason: string } => {
  const reasons: string[] = [];
  for (const build of nativeBuilds()) {
    try {
      return openNativeHost(build, memory);
    } catch (error) {
      reasons.push(`${build.path}: ${messageOf(error)}`);
    }
  }
  return { reason: reasons[0] ?? whyNoNativeBuild() };
};
