/** `schbench-ts codegen`: what compilers made of the inner loop, in our builds and in reference binaries. */
import { readFile, readdir } from "node:fs/promises";
import type { BuildFacts } from "../../codegen/build-facts.js";
import { codegenVerdict } from "../../codegen/codegen-verdict.js";
import {
  ALLOWED_BINARIES,
  type Exec,
  ForeignMachineError,
  type ReadFile,
  inspectBinary,
  inspectNative,
  inspectV8,
} from "../../codegen/inspect.js";
import { type BuildComparison, compareBuilds } from "../../codegen/compare-builds.js";
import { renderCodegenTable, renderMixComparison } from "../../codegen/render-codegen.js";
import { EXIT, UsageError, UserError } from "../../errors.js";
import { parseCommandLine } from "../../options/line/command-line.js";
import type { OptionTable } from "../../options/line/option-table.js";
import { PACKAGE_FILES } from "../../package-files.js";
import { whyNoBinary } from "../io/binary-file.js";
import { moduleRemedy } from "../../platform/rebuilding.js";
import { runTool } from "../io/run-tool.js";
import type { Command } from "../io/command.js";

/** Options of `codegen`. */
export const CODEGEN_TABLE = [
  {
    id: "references",
    kind: "text",
    long: ["reference"],
    group: "Builds",
    meaning: "inspect this reference binary too, under a name",
    valueName: "NAME=BINARY",
    repeated: true,
  },
  {
    id: "nodes",
    kind: "file",
    long: ["node"],
    group: "Builds",
    meaning: "inspect the module as compiled by this Node too",
    valueName: "PATH",
    repeated: true,
  },
  {
    id: "format",
    kind: "choice",
    long: ["format"],
    group: "Output",
    meaning: "output format",
    choices: ["text", "json", "markdown"],
    default: "text",
  },
] as const satisfies OptionTable;

/** What the command finds around it; a test hands in its own. */
export interface CodegenSurroundings {
  readonly exec: Exec;
  readonly readFile: ReadFile;
  /** Names of the files in the engine's directory; empty when there is none. */
  readonly engineFiles: () => Promise<readonly string[]>;
  readonly engineDirectory: string;
  /** As in binary-file.ts. */
  readonly whyNoBinary: (path: string) => Promise<string | null>;
  /** The running Node; null when it takes no options of its own, as in the single executable. */
  readonly nodePath: string | null;
}

const installed: CodegenSurroundings = {
  exec: runTool,
  readFile,
  engineDirectory: PACKAGE_FILES.engineFolder,
  engineFiles: () => readdir(PACKAGE_FILES.engineFolder).catch(() => []),
  nodePath: PACKAGE_FILES.node,
  whyNoBinary,
};

interface Inspection {
  readonly inspect: () => Promise<BuildFacts>;
  /** One of the engine's libraries for other machines: left out where no tool can read it. */
  readonly mayBeForeign: boolean;
}

const readReference = (text: string): { readonly name: string; readonly path: string } => {
  const equals = text.indexOf("=");
  if (equals < 1 || equals === text.length - 1) {
    throw new UsageError(`invalid value "${text}" for --reference: allowed is NAME=BINARY, such as gcc=./schbench-gcc`);
  }
  return { name: text.slice(0, equals), path: text.slice(equals + 1) };
};

const inspectReference = async (
  { name, path }: ReturnType<typeof readReference>,
  around: CodegenSurroundings,
): Promise<BuildFacts> => {
  const reason = await around.whyNoBinary(path);
  if (reason !== null) throw new UserError(`cannot list the machine code of "${path}": ${reason}`, ALLOWED_BINARIES);
  return inspectBinary(name, path, around.exec);
};

/** Every build that is to be looked at, in the order of the table. */
const inspections = async (
  references: readonly string[],
  nodes: readonly string[],
  around: CodegenSurroundings,
): Promise<readonly Inspection[]> => {
  const { exec } = around;
  const named = references.map(readReference);
  const files = (await around.engineFiles()).toSorted();
  const libraries = files.filter((file) => file.endsWith(".so"));
  const modules = files.filter((file) => file === "schbench.wasm");
  const inEngine = (file: string) => `${around.engineDirectory}${file}`;
  return [
    ...libraries.map((file) => ({ inspect: () => inspectNative(inEngine(file), exec), mayBeForeign: true })),
    ...modules.flatMap((file) =>
      [...(around.nodePath === null ? [] : [around.nodePath]), ...nodes].map((node) => ({
        inspect: () => inspectV8(node, inEngine(file), exec, around.readFile),
        mayBeForeign: false,
      })),
    ),
    ...named.map((reference) => ({ inspect: () => inspectReference(reference, around), mayBeForeign: false })),
  ];
};

const jsonText = (
  builds: readonly BuildFacts[],
  comparisons: readonly BuildComparison[],
  failures: readonly UserError[],
): string => {
  const judged = builds.map((build) => ({ ...build, verdict: codegenVerdict(build) }));
  const errors = failures.map(({ message, remedy }) => ({ message, remedy: remedy ?? null }));
  return `${JSON.stringify({ format: "schbench-ts/codegen", version: 1, builds: judged, comparisons, errors }, null, 2)}\n`;
};

/** The command with its surroundings. */
export const codegenCommandIn = (around: CodegenSurroundings): Command => ({
  name: "codegen",
  summary: "inspect the machine code of the inner loop, ours and that of reference binaries",
  run: async (argv, io) => {
    const { options } = parseCommandLine(argv, CODEGEN_TABLE);
    const wanted = await inspections(options.references, options.nodes, around);
    if (wanted.length === 0) {
      throw new UserError(
        `there is no build to inspect: no engine in "${around.engineDirectory}" and no --reference`,
        `${moduleRemedy()} Or give --reference NAME=BINARY.`,
      );
    }
    const builds: BuildFacts[] = [];
    const failures: UserError[] = [];
    for (const { inspect, mayBeForeign } of wanted) {
      try {
        builds.push(await inspect());
      } catch (error) {
        // One build that cannot be read must not hide the others; it still fails the command.
        if (!(error instanceof UserError)) throw error;
        if (mayBeForeign && error instanceof ForeignMachineError) io.stderr.write(`left out: ${error.message}\n`);
        else failures.push(error);
      }
    }
    const { format } = options;
    const isReference = ({ build }: BuildFacts) =>
      options.references.some((text) => readReference(text).name === build);
    const comparisons = compareBuilds(
      builds.filter((build) => !isReference(build)),
      builds.filter(isReference),
    );
    if (format === "json") io.stdout.write(jsonText(builds, comparisons, failures));
    else if (builds.length > 0)
      io.stdout.write(renderCodegenTable(builds, format) + renderMixComparison(comparisons, format));
    for (const { message, remedy } of failures) {
      io.stderr.write(`schbench-ts: ${message}\n${remedy === undefined ? "" : `${remedy}\n`}`);
    }
    if (failures.length > 0) return EXIT.failure;
    return builds.every((build) => codegenVerdict(build).ok) ? EXIT.ok : EXIT.different;
  },
});

/** `schbench-ts codegen` as installed. */
export const codegenCommand: Command = codegenCommandIn(installed);
