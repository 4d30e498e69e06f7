/**
 * An experiment's file as it is read: line by line, so that neither its length nor its text matters, only what is kept of each
 * run. A crash cuts off the last line at most; that one is reported, any other fault is an error. Pure.
 */
import type { ExperimentHeader, RunRecord } from "./record.js";
import { headerIn, isJson, recordReader } from "./stored-lines.js";

/** What an experiment's file holds. */
export interface StoredExperiment {
  readonly header: ExperimentHeader;
  readonly records: readonly RunRecord[];
  /** Length of the undamaged part, in bytes. */
  readonly soundBytes: number;
  /** Whether a damaged last line follows it. */
  readonly damaged: boolean;
}

/** Whether a text starts like an experiment's file. */
export const isExperiment = (text: string): boolean => /^\s*\{\s*"format"\s*:\s*"schbench-ts\/experiment"/.test(text);

/** Takes an experiment's lines one after the other. */
export interface ExperimentReader {
  /** The next line, without its end; throws ParseError for the line before, if it is damaged. */
  readonly take: (line: string) => void;
  /** The first line; null: it has not been taken yet. */
  readonly header: () => ExperimentHeader | null;
  /** What they were; `tail` is what follows the last line end. null: there was no line. */
  readonly end: (tail: string) => StoredExperiment | null;
}

/** @param keep what is kept of a run, once it has been checked; default: all */
export const experimentReader = (
  source: string,
  keep: (record: RunRecord) => RunRecord = (record) => record,
): ExperimentReader => {
  const records: RunRecord[] = [];
  let header: ExperimentHeader | null = null;
  let read: ((line: string, number: number) => RunRecord) | null = null;
  // The line that may be the last one: whether it is damaged is known when the next one comes.
  let waiting: string | null = null;
  let number = 1;
  let soundBytes = 0;

  const settle = (): void => {
    if (waiting === null || read === null) return;
    records.push(keep(read(waiting, number)));
    soundBytes += Buffer.byteLength(waiting) + 1;
    waiting = null;
  };
  return {
    take: (line) => {
      if (header === null) {
        header = headerIn(line, source);
        read = recordReader(header, source);
        soundBytes = Buffer.byteLength(line) + 1;
        return;
      }
      settle();
      waiting = line;
      number++;
    },
    header: () => header,
    end: (tail) => {
      if (header === null) return null;
      const isCut = waiting !== null && !isJson(waiting);
      if (!isCut) settle();
      return { header, records, soundBytes, damaged: isCut || tail !== "" };
    },
  };
};

/** Reads the text of an experiment's file; null: it has no whole line. */
export const readExperiment = (text: string, source: string): StoredExperiment | null => {
  const reader = experimentReader(source);
  const lines = text.split("\n");
  const tail = lines.pop() ?? "";
  for (const line of lines) reader.take(line);
  return reader.end(tail);
};
