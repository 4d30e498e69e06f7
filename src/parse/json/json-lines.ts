/** Files of which each line is a JSON value, such as stores and what `parse --format ndjson` prints: line by line. Pure. */
import type { RunResult } from "../../model/result/run-result.js";
import { resultsInJson } from "./json-layouts.js";

/** Whether a text may be made of such lines. */
export const mayBeJsonLines = (text: string): boolean => /^\s*[[{]/.test(text);

/**
 * The results in a line that is a JSON value.
 *
 * @returns null for any other line: only the file as a whole tells what that is
 * @throws ParseError for a damaged result
 */
export const resultsInLine = (line: string, file: string, number: number): readonly RunResult[] | null => {
  if (line.trim() === "") return [];
  if (!mayBeJsonLines(line)) return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  return resultsInJson(value, file, number);
};
