/** `schbench-ts parse`: the output of any schbench of any age as run results. */
import { setImmediate } from "node:timers/promises";
import { EXIT, UserError } from "../../errors.js";
import { keepAll, readRuns } from "../stored/stored-runs.js";
import { parseCommandLine } from "../../options/line/command-line.js";
import type { OptionTable } from "../../options/line/option-table.js";
import { parseOutput } from "../../parse/parse-output.js";
import type { RunResult } from "../../model/result/run-result.js";
import { wholeReport } from "../../text/schbench-text.js";
import { warningsText } from "../../text/warnings-text.js";
import type { Command, Io } from "../io/command.js";
import { openText } from "../io/open-text.js";
import { STDIN } from "../io/read-input.js";
import { oneVisibleLine } from "../io/visible-text.js";

/** The options of `schbench-ts parse`. */
export const parseOptions = [
  {
    id: "format",
    kind: "choice",
    long: ["format"],
    group: "Output",
    meaning: "output format: a JSON array, one JSON line per run, or a text report in the current layout",
    choices: ["json", "ndjson", "text"],
    default: "json",
  },
] as const satisfies OptionTable;

type Format = (typeof parseOptions)[0]["choices"][number];

const placeOf = ({ source }: RunResult): string =>
  source.kind === "parsed" ? `${source.file}:${source.line} (${source.era})` : `schbench-ts ${source.version}`;

/** The pieces that each format prints, one by one: together they may be longer than a text can be. */
const FORMATS: Readonly<Record<Format, (results: readonly RunResult[]) => Iterable<string>>> = {
  json: function* (results) {
    const last = results.length - 1;
    // As JSON.stringify writes the whole array.
    for (const [index, result] of results.entries())
      yield `${index === 0 ? "[\n" : ""}${JSON.stringify([result], null, 2).slice(2, -2)}${index === last ? "\n]\n" : ",\n"}`;
  },
  ndjson: function* (results) {
    for (const result of results) yield `${JSON.stringify(result)}\n`;
  },
  text: function* (results) {
    for (const [index, result] of results.entries()) {
      const place = results.length === 1 ? "" : `# ${placeOf(result)}\n`;
      yield `${index === 0 ? "" : "\n"}${place}${wholeReport(result)}`;
    }
  },
};

const TURN_CHARACTERS = 1024 * 1024;

const print = async (pieces: Iterable<string>, { stdout, interrupted }: Io): Promise<void> => {
  let unheard = 0;
  for (const piece of pieces) {
    stdout.write(piece);
    unheard += piece.length;
    if (unheard < TURN_CHARACTERS) continue;
    unheard = 0;
    await setImmediate();
    interrupted.throwIfAborted();
  }
};

const parse = (text: string, file: string) => parseOutput(text, { file });

/** What the files hold, and the error about each that cannot be read. */
const readAll = async (files: readonly string[], io: Io) => {
  const results: RunResult[] = [];
  const faults: UserError[] = [];
  for (const file of files)
    try {
      for (const run of await readRuns(await openText(file, io), file, { parse, keep: keepAll, io })) results.push(run);
    } catch (thrown) {
      if (!(thrown instanceof UserError)) throw thrown;
      faults.push(thrown);
    }
  return { results, faults };
};

/**
 * Reads every file, or standard input without one, and prints what they hold; warnings go to stderr. A file that cannot be
 * read does not hide the others: it has its line on stderr, and the exit code says that something is missing.
 */
export const parseCommand: Command = {
  name: "parse",
  summary: "convert the output of any schbench version into run results",
  run: async (argv, io) => {
    const { options, positionals } = parseCommandLine(argv, parseOptions, { name: "FILE", min: 0, max: Infinity });
    const { results, faults } = await readAll(positionals.length === 0 ? [STDIN] : positionals, io);
    const [fault] = faults;
    if (fault !== undefined && positionals.length < 2) throw fault;
    await print(FORMATS[options.format](results), io);
    for (const result of results)
      for (const warning of result.warnings) io.stderr.write(`${placeOf(result)}: ${warningsText([warning])}`);
    for (const { message, remedy } of faults)
      io.stderr.write(
        `schbench-ts: ${[oneVisibleLine(message), ...(remedy === undefined ? [] : [remedy])].join("\n")}\n`,
      );
    return faults.length === 0 ? EXIT.ok : EXIT.failure;
  },
};
