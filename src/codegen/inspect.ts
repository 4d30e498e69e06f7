/**
 * Gets listings from the tools that make them: objdump for compiled files, Node itself for a WebAssembly module. Tools
 * are run by a function that is handed in, so this file has no door of its own to the system.
 */
import { UserError } from "../errors.js";
import type { BuildFacts } from "./build-facts.js";
import { codegenFacts } from "./codegen-facts.js";
import { objdumpListing } from "./listings/objdump-listing.js";
import { v8Listing } from "./listings/v8-listing.js";
import { exportedFunctionNames } from "./listings/wasm-names.js";

/** How a tool ended. */
export type ToolRun =
  | { readonly kind: "missing" }
  | { readonly kind: "ended"; readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Runs a tool to its end; `missing` when there is no such file in PATH. */
export type Exec = (file: string, args: readonly string[]) => Promise<ToolRun>;

/** Reads a file whole. */
export type ReadFile = (path: string) => Promise<Uint8Array>;

/** What can be inspected, as a remedy. */
export const ALLOWED_BINARIES = "Give an ELF executable or shared library for x86-64 or aarch64.";

const OBJDUMPS = ["objdump", "aarch64-linux-gnu-objdump"] as const;
const UNKNOWN_MACHINE =
  /unknown architecture|architecture unknown|file format not recogni[sz]ed|file format is ambiguous/i;
const OBJDUMP_ARGS = ["-d", "--no-show-raw-insn"] as const;
/** What the v8 engine switches off before it compiles the module, so that it is optimised at once. Options a V8 lacks are left out. */
export const V8_OPTIONS = ["liftoff", "wasm-inlining", "wasm-lazy-compilation"] as const;
const COMPILE_SCRIPT = 'new WebAssembly.Module(require("node:fs").readFileSync(process.argv[1]))';

/** A file for a machine that no objdump here knows. */
export class ForeignMachineError extends UserError {
  override readonly name = "ForeignMachineError";
}

const firstLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "") ?? "nothing";

/** The disassembly of a file, by the first objdump that knows its architecture. */
const disassemble = async (path: string, exec: Exec): Promise<string> => {
  let complaint: string | null = null;
  let isForeign = false;
  for (const objdump of OBJDUMPS) {
    const run = await exec(objdump, [...OBJDUMP_ARGS, path]);
    if (run.kind === "missing") continue;
    if (run.code === 0) return run.stdout;
    complaint ??= firstLine(run.stderr);
    isForeign = UNKNOWN_MACHINE.test(run.stderr);
    if (!isForeign) break;
  }
  if (complaint === null) {
    throw new UserError(
      `cannot list the machine code of "${path}": there is no objdump`,
      "Install binutils (Debian and Ubuntu: apt install binutils; Fedora: dnf install binutils).",
    );
  }
  const message = `cannot list the machine code of "${path}": objdump says "${complaint}"`;
  if (isForeign)
    throw new ForeignMachineError(message, "It needs that machine's binutils, such as binutils-aarch64-linux-gnu.");
  throw new UserError(message, ALLOWED_BINARIES);
};

/**
 * The product loops of an executable or library, such as a reference binary.
 *
 * @param build its name in tables and messages
 * @throws UserError when it cannot be disassembled or holds no product loop
 */
export const inspectBinary = async (build: string, path: string, exec: Exec): Promise<BuildFacts> =>
  codegenFacts(objdumpListing(await disassemble(path, exec), path), build, "objdump");

/** The product loops of a native engine library, which is named by its file. */
export const inspectNative = (path: string, exec: Exec): Promise<BuildFacts> =>
  inspectBinary(path.slice(path.lastIndexOf("/") + 1), path, exec);

const runNode = async (node: string, args: readonly string[], exec: Exec): Promise<string> => {
  const run = await exec(node, args);
  if (run.kind === "missing") throw new UserError(`cannot run "${node}": there is no such file`);
  if (run.code === 0) return run.stdout;
  throw new UserError(`"${node} ${args.join(" ")}" failed: ${firstLine(run.stderr)}`);
};

/** Which `--no-…` options of V8_OPTIONS this node knows: one that it does not would make it refuse to start. */
const switchedOff = (v8Options: string): readonly string[] => {
  const known = new Set([...v8Options.matchAll(/^\s+--(?:\[no-\])?([a-z0-9-]+)/gm)].map((match) => match[1]));
  return V8_OPTIONS.filter((option) => known.has(option)).map((option) => `--no-${option}`);
};

/**
 * The product loops of a WebAssembly module as a node compiles it: a child process of that node compiles it and ends.
 *
 * @throws UserError when the node cannot be run, prints no listing, or the module holds no product loop
 */
export const inspectV8 = async (
  nodePath: string,
  wasmPath: string,
  exec: Exec,
  readFile: ReadFile,
): Promise<BuildFacts> => {
  const versions = await runNode(nodePath, ["-p", "`V8 ${process.versions.v8} (Node ${process.versions.node})`"], exec);
  const build = versions.trim();
  const options = switchedOff(await runNode(nodePath, ["--v8-options"], exec));
  const names = exportedFunctionNames(await readFile(wasmPath));
  const listing = await runNode(nodePath, [...options, "--print-wasm-code", "-e", COMPILE_SCRIPT, wasmPath], exec);
  return codegenFacts(v8Listing(listing, names, build), build, "v8");
};
