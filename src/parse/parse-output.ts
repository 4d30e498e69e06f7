/**
 * Reads the output of any schbench, of any age: text, JSON, our experiment files, and several of them in one file.
 *
 * What is not there is null. What is damaged, cut off or contradicts itself is an error that names the line: a reader
 * of benchmark results that guesses is worse than none.
 */
import { ParseError } from "../errors.js";
import type { Distribution, RunResult, Warning } from "../model/result/run-result.js";
import { wholeSeconds } from "../text/percentile-table.js";
import { OWN_ERA } from "../text/schbench-text.js";
import { cleanLines, type SourceLine, withoutEscapes } from "./text/clean-lines.js";
import { resultsInJson } from "./json/json-layouts.js";
import { bracketEnds, jsonAt, mayStartJson } from "./json/json-values.js";
import { readReports } from "./text/text-reports.js";
import { textResults } from "./text/text-runs.js";

interface Placed {
  readonly result: RunResult;
  readonly line: number;
}

interface Parts {
  readonly lines: readonly SourceLine[];
  readonly json: readonly Placed[];
  readonly hasOwnFormat: boolean;
}

const lineEndsIn = (text: string, start: number, end: number): number => {
  let count = 0;
  for (let found = text.indexOf("\n", start); found >= 0 && found < end; found = text.indexOf("\n", found + 1)) count++;
  return count;
};

/** Parts JSON from text: JSON stands at the start of a line; text may follow it on the same line. */
const partsOf = (text: string, file: string): Parts => {
  const lines: SourceLine[] = [];
  const json: Placed[] = [];
  const endOf = bracketEnds(text);
  let hasOwnFormat = false;
  let offset = 0;
  let line = 1;
  while (offset < text.length) {
    const lineEnd = text.indexOf("\n", offset);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const start = offset + text.slice(offset, end).search(/[^\s\uFEFF]|$/);
    const found = mayStartJson(text, start) ? jsonAt(text, start, endOf) : null;
    if (found !== null && "damage" in found) throw new ParseError(found.damage, file, line);
    if (found === null) {
      lines.push(...cleanLines(text.slice(offset, end), line));
      offset = end + 1;
      line++;
    } else {
      for (const result of resultsInJson(found.value, file, line)) json.push({ result, line });
      hasOwnFormat ||= typeof found.value === "object" && found.value !== null && "format" in found.value;
      offset = text.charAt(found.end) === "\n" ? found.end + 1 : found.end;
      line += lineEndsIn(text, start, offset);
    }
  }
  return { lines, json, hasOwnFormat };
};

const sameTable = (a: Distribution | null, b: Distribution | null): boolean =>
  a !== null &&
  b !== null &&
  a.min === b.min &&
  a.max === b.max &&
  a.percentiles.every(({ percentile, value }) => {
    const other = b.percentiles.find((row) => row.percentile === percentile);
    return other === undefined || other.value === value;
  });

/**
 * Whether a text report and a JSON object are of one run, as `-j -` prints both. The text may lack a table, which its
 * poster left out; what it has must be the JSON's.
 */
const sameRun = (text: RunResult, json: RunResult): boolean => {
  if (text.runtimeSec === null || json.runtimeSec === null) return false;
  const shown = (["wakeup", "request"] as const).filter((name) => text[name] !== null);
  return (
    text.runtimeSec === wholeSeconds(json.runtimeSec) &&
    shown.length > 0 &&
    shown.every((name) => sameTable(text[name], json[name]))
  );
};

/** One result of a run that was printed both ways. Ours is complete; upstream's text has counts, its JSON the names. */
const merged = (text: RunResult, json: RunResult): RunResult => {
  if (json.source.kind === "engine" || json.source.era === OWN_ERA) return json;
  const { machine } = json.source;
  return {
    ...text,
    source: text.source.kind === "parsed" && machine !== undefined ? { ...text.source, machine } : text.source,
    jobname: json.jobname,
    commandLine: json.commandLine,
    startedAt: json.startedAt,
    wakeup: text.wakeup ?? json.wakeup,
    request: text.request ?? json.request,
    mode: text.mode ?? json.mode,
    rate: json.rate === null ? text.rate : { ...json.rate, ...text.rate, askedPerSec: json.rate.askedPerSec },
  };
};

const together = (texts: readonly RunResult[], jsons: readonly Placed[]): readonly RunResult[] => {
  const rest = [...jsons];
  const results = texts.map((text) => {
    const index = rest.findIndex((json) => sameRun(text, json.result));
    const [json] = index < 0 ? [] : rest.splice(index, 1);
    const line = text.source.kind === "parsed" ? text.source.line : 0;
    return { line, result: json === undefined ? text : merged(text, json.result) };
  });
  return [...results, ...rest].toSorted((a, b) => a.line - b.line).map(({ result }) => result);
};

const noLineEnd: Warning = {
  code: "no-line-end",
  message: "the text ends within its last line: the maximum may be cut off",
  cure: "keep all of the output",
};

/** A maximum at the very end of a text may have lost digits; everything else that is cut off shows. */
const doubtingLast = (results: readonly RunResult[], text: string): RunResult[] =>
  results.map((result, index) =>
    index === results.length - 1 && /min=\d+, max=\d+$/.test(text)
      ? { ...result, warnings: [...result.warnings, noLineEnd] }
      : result,
  );

/**
 * All runs in a text, in the order in which they stand there.
 *
 * @param file name for errors and for the results, `-` for standard input
 * @throws ParseError for a text without a result, and for one that is damaged, cut off or contradicts itself
 */
export const parseOutput = (text: string, { file }: { readonly file: string }): RunResult[] => {
  const plain = withoutEscapes(text);
  const { lines, json, hasOwnFormat } = partsOf(plain, file);
  const results = together(textResults(readReports(lines, file), file), json);
  if (results.length > 0) return doubtingLast(results, plain);
  throw new ParseError(
    plain.trim() === ""
      ? "empty: there is no output of schbench here"
      : hasOwnFormat
        ? "no finished run is stored here"
        : "not an output of schbench: no table of percentiles and no JSON result was found",
    file,
    1,
  );
};
