/**
 * Where the files of this package lie. This is the only module that knows. It is one folder below dist everywhere: in dist/src
 * as compiled, for programs that import the library, and in dist/command, bundled, in the command and the single executable.
 */
import { existsSync } from "node:fs";
import { isSea } from "node:sea";
import { fileURLToPath } from "node:url";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Absolute paths; the paths of folders end with a slash. */
export const PACKAGE_FILES = {
  manifest: path("../../package.json"),
  /** Folder of the built engine: the Wasm module and the native libraries. */
  engineFolder: path("../engine/"),
  /** The running Node as a command; null in the single executable, which takes none of Node's options. */
  node: isSea() ? null : process.execPath,
  /** The command, to be run with Node. */
  command: path("../command/bin.cjs"),
  /** Entry of the process that the library runs the engine in. */
  engineProcess: path("../command/engine-process.cjs"),
  /** Entry of a benchmark thread of the v8 host. */
  threadEntry: path("../src/engine/host/thread-entry.cjs"),
} as const;

/** How this program came here, which decides how a part of it that is missing is had. */
export const homeKind = (): "checkout" | "package" | "executable" => {
  if (isSea()) return "executable";
  return existsSync(path("../../scripts")) ? "checkout" : "package";
};
