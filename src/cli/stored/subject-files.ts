/**
 * Stored runs as subjects: a plain result file is a subject of its own, an experiment's file holds several, and so does an
 * HTML report. For the commands that judge what was run before.
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { at } from "../../at.js";
import { UsageError } from "../../errors.js";
import { measuredResults } from "../../experiment/record.js";
import { subjectFiles } from "../../experiment/same-subjects.js";
import type { FileOfRun } from "../../compare/blocks/place.js";
import { isExperiment } from "../../experiment/read-experiment.js";
import type { MergedLatencies } from "../../model/metrics/merged-latencies.js";
import { contentOf, runRegister } from "../../model/result/repeated-runs.js";
import type { RunResult } from "../../model/result/run-result.js";
import { isHtmlReport, subjectsInHtml } from "../../render/reports/embedded-data.js";
import type { Io } from "../io/command.js";
import type { ExperimentWorld } from "../io/experiment-world.js";
import type { ReadHeader } from "./kept-judgement.js";
import { type OpenText, openText } from "../io/open-text.js";
import { type Keep, keepAll, readRuns, readStore } from "./stored-runs.js";

/** Runs of one subject in one cell. */
export interface StoredSubject {
  readonly name: string;
  /** null: the file knows no cells. */
  readonly cell: string | null;
  readonly runs: readonly RunResult[];
  /** From which of several files that hold the same subjects each run came; left out: from one. */
  readonly files?: FileOfRun;
  /** The latencies of all of them together, where none has a histogram of its own. */
  readonly merged?: MergedLatencies;
}

/** From which file every run of some subjects came. */
export const filesOf = (subjects: readonly StoredSubject[]): FileOfRun =>
  new Map(subjects.flatMap(({ files }) => (files === undefined ? [] : [...files])));

const withoutEnding = (path: string): string => basename(path).replace(/\.[A-Za-z]\w*$/, "");

/** How files are read. */
interface SubjectReading {
  readonly io: Io;
  readonly parse: ExperimentWorld["parse"];
  readonly keep: Keep;
  readonly onHeader: ReadWishes["onHeader"];
}

/** The subjects in one file; `name` renames the only one, or stands before the names of several. */
const subjectsIn = async (
  input: OpenText,
  file: string,
  name: string | null,
  reading: SubjectReading,
): Promise<readonly StoredSubject[]> => {
  const own = (inside: string): string => (name === null ? inside : `${name}:${inside}`);
  if (isExperiment(input.head)) {
    const stored = await readStore(input, file, {
      ...reading,
      onHeader: (header) => reading.onHeader?.({ file, header }),
    });
    const { subjects = [], cells = [] } = stored?.header ?? {};
    const only = subjects.length === 1 && name !== null ? name : null;
    return cells.flatMap((cell) =>
      subjects.map((subject): StoredSubject => ({
        name: only ?? own(subject.name),
        cell: cells.length === 1 ? null : cell.name,
        runs: measuredResults(stored?.records ?? [], subject.name, cell.name),
      })),
    );
  }
  if (isHtmlReport(input.head)) {
    const text = await input.text();
    const inside = reading.io.atOnce(() => subjectsInHtml(text, file));
    const only = new Set(inside.map(({ subject, name: both }) => subject ?? both)).size === 1 && name !== null;
    return inside.map(({ name: both, subject = both, cell = null, runs, merged }): StoredSubject => ({
      name: only ? name : own(subject),
      cell,
      runs: runs.map((run) => reading.keep(run)),
      ...(merged === undefined ? {} : { merged }),
    }));
  }
  return [{ name: name ?? withoutEnding(file), cell: null, runs: await readRuns(input, file, reading) }];
};

/** Files, and the subject whose runs they hold; null: as the files say. */
export interface NamedFiles {
  readonly name: string | null;
  readonly files: readonly string[];
}

/** NAME=FILE[,FILE…] or FILE; a text before "=" that holds a slash belongs to the file's name. */
export const readNamedFiles = (argument: string): NamedFiles => {
  const [, name, files] = /^([^=/]+)=(.+)$/.exec(argument) ?? [];
  if (name === undefined || files === undefined) return { name: null, files: [argument] };
  const list = files.split(",");
  if (list.includes(""))
    throw new UsageError(`invalid value "${argument}": allowed is [NAME=]FILE[,FILE…], and no FILE is empty`);
  return { name, files: list };
};

/** Every file that such arguments name. */
export const filesIn = (named: readonly string[]): readonly string[] =>
  named.flatMap((argument) => readNamedFiles(argument).files);

const hashOf = (run: RunResult): string => createHash("sha256").update(contentOf(run)).digest("base64");

/**
 * The runs of one subject, file by file, each once: copies of a file must not make a difference significant. Runs that do not say
 * when they began are held against those of other files only: within one, two may be alike.
 */
const gatherRuns = () => {
  const runs: RunResult[] = [];
  const register = runRegister();
  const undated = new Set<string>();
  return {
    runs,
    /** How many of a file's runs were there already. */
    add: (more: readonly RunResult[]): number => {
      const fresh = more.filter((run) =>
        run.startedAt === null ? !undated.has(hashOf(run)) : register.metAs(run, "") === null,
      );
      for (const run of fresh) {
        runs.push(run);
        if (run.startedAt === null) undated.add(hashOf(run));
      }
      return more.length - fresh.length;
    },
  };
};

/** How to read, where it is not as usual. */
export interface ReadWishes {
  /** What is kept of each run; default: all. */
  readonly keep?: Keep;
  /** What is kept of them in the end, once all were read; default: the same. */
  readonly level?: Keep;
  /** Told of every experiment, before its first run is read. */
  readonly onHeader?: (read: ReadHeader) => void;
  /** Where a file is open already: a pipe can be read once. */
  readonly open?: (file: string) => Promise<OpenText>;
}

/** Every subject in some files, in order; runs of the same given name and cell are put together, each run once. */
export const readSubjects = async (
  named: readonly NamedFiles[],
  io: Io,
  { parse }: Pick<ExperimentWorld, "parse">,
  { keep = keepAll, level = keepAll, onHeader, open = (file) => openText(file, io) }: ReadWishes = {},
): Promise<readonly StoredSubject[]> => {
  const subjects = new Map<string, StoredSubject & ReturnType<typeof gatherRuns>>();
  const unnamed = subjectFiles();
  const fileOf = new Map<RunResult, string>();
  for (const { name, files } of named) {
    for (const file of files) {
      const inside = await subjectsIn(await open(file), file, name, { io, parse, keep, onHeader });
      if (name === null) unnamed.add(file, inside);
      for (const found of inside) {
        const key = JSON.stringify([found.name, found.cell]);
        const known = subjects.get(key);
        if (name === null) for (const run of found.runs) fileOf.set(run, file);
        const fresh = { name: found.name, cell: found.cell, ...gatherRuns() };
        const gathered = known ?? { ...fresh, ...(found.merged === undefined ? {} : { merged: found.merged }) };
        subjects.set(key, gathered);
        const repeated = gathered.add(found.runs);
        const where = files.length > 1 ? "several of the files" : `${file} more than once`;
        if (repeated > 0)
          io.stderr.write(
            `schbench-ts: warning: ${repeated} ${repeated === 1 ? "run" : "runs"} of "${found.name}" ${repeated === 1 ? "is" : "are"} in ${where}; each is counted once\n`,
          );
      }
    }
  }
  const names = unnamed.names();
  const placed = (runs: readonly RunResult[], kept: readonly RunResult[]): FileOfRun =>
    new Map(
      runs.flatMap((run, index) => {
        const file = names.get(fileOf.get(run) ?? "");
        return file === undefined ? [] : [[at(kept, index), file]];
      }),
    );
  return [...subjects.values()].map(({ name, cell, runs, merged }) => {
    const kept = runs.map((run) => level(run));
    return {
      name,
      cell,
      runs: kept,
      ...(names.size === 0 ? {} : { files: placed(runs, kept) }),
      ...(merged === undefined ? {} : { merged }),
    };
  });
};
