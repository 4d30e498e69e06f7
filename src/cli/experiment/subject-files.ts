/**
 * Stored runs as subjects: a plain result file is a subject of its own, an experiment's file holds several, and so does an
 * HTML report. For the commands that judge what was run before.
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { UsageError, UserError } from "../../errors.js";
import { measuredResults } from "../../experiment/record.js";
import { isExperiment, readExperiment } from "../../experiment/store.js";
import type { RunResult } from "../../model/run-result.js";
import { isHtmlReport, subjectsInHtml } from "../../render/reports/embedded-data.js";
import type { Io } from "../io/command.js";
import type { ExperimentWorld } from "./experiment-world.js";
import { readInput } from "../io/read-input.js";

/** Runs of one subject in one cell. */
export interface StoredSubject {
  readonly name: string;
  /** null: the file knows no cells. */
  readonly cell: string | null;
  readonly runs: readonly RunResult[];
}

const withoutEnding = (path: string): string => basename(path).replace(/\.[A-Za-z]\w*$/, "");

/** The subjects in one file; `name` renames the only one, or stands before the names of several. */
const subjectsIn = (text: string, file: string, name: string | null, world: Pick<ExperimentWorld, "parse">) => {
  const own = (inside: string): string => (name === null ? inside : `${name}:${inside}`);
  if (isExperiment(text)) {
    const stored = readExperiment(text, file);
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
  if (isHtmlReport(text)) {
    const inside = subjectsInHtml(text, file);
    const only = inside.length === 1 && name !== null ? name : null;
    return inside.map((subject): StoredSubject => ({
      name: only ?? own(subject.name),
      cell: null,
      runs: subject.runs,
    }));
  }
  return [{ name: name ?? withoutEnding(file), cell: null, runs: world.parse(text, file) }];
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

/** A run's content, whichever file it was read from. */
const contentOf = ({ source, ...run }: RunResult): string =>
  createHash("sha256")
    .update(JSON.stringify([source.kind === "parsed" ? { ...source, file: "", line: 0 } : source, run]))
    .digest("base64");

/** The runs of another file that are not known yet: copies of a file must not make a difference significant. */
const newRuns = (known: readonly RunResult[], more: readonly RunResult[]): readonly RunResult[] => {
  const seen = new Set(known.map(contentOf));
  return more.filter((run) => !seen.has(contentOf(run)));
};

/**
 * Every subject in some files, in order; runs of the same given name and cell are put together.
 *
 * @param read where the text of a file is had already: a pipe can be read once
 */
export const readSubjects = async (
  named: readonly NamedFiles[],
  io: Io,
  world: Pick<ExperimentWorld, "parse">,
  read: (file: string) => Promise<string> = (file) => readInput(file, io),
): Promise<readonly StoredSubject[]> => {
  const subjects = new Map<string, StoredSubject>();
  for (const { name, files } of named) {
    const found: StoredSubject[] = [];
    for (const file of files) found.push(...subjectsIn(await read(file), file, name, world));
    for (const subject of found) {
      const key = JSON.stringify([subject.name, subject.cell]);
      const known = subjects.get(key);
      if (known !== undefined && name === null)
        throw new UserError(
          `two files have a subject called "${subject.name}": names must differ`,
          `Name one of them, as in new=${files.join(",")}.`,
        );
      if (known === undefined) {
        subjects.set(key, subject);
        continue;
      }
      const fresh = newRuns(known.runs, subject.runs);
      const repeated = subject.runs.length - fresh.length;
      if (repeated > 0)
        io.stderr.write(
          `schbench-ts: warning: ${repeated} ${repeated === 1 ? "run" : "runs"} of "${subject.name}" are in several of the files; each is counted once\n`,
        );
      subjects.set(key, { ...known, runs: [...known.runs, ...fresh] });
    }
  }
  return [...subjects.values()];
};
