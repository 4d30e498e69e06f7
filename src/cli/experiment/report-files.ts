/** What a report is to be made of: the files that `schbench-ts report` was given, whatever kind they are. */
import { UserError } from "../../errors.js";
import { compareSubjects, type CompareOptions } from "../../compare/compare.js";
import { measuredResults } from "../../experiment/record.js";
import { isExperiment, readExperiment, type StoredExperiment } from "../../experiment/store.js";
import { summarizeSweep, type SweptRuns } from "../../compare/sweep.js";
import { judgeValidation } from "../../validate/validate.js";
import type { RunResult } from "../../model/run-result.js";
import type { ReportInput, ReportSubject } from "../../render/reports/report-input.js";
import { kneeLines } from "../../render/sweep-text.js";
import { reportSubject } from "./report-subject.js";
import type { Io } from "../io/command.js";
import type { ExperimentWorld } from "./experiment-world.js";
import { readInput } from "../io/read-input.js";
import { readNamedFiles, readSubjects } from "./subject-files.js";

/** How the report is to be made. */
export interface ReportWish {
  readonly title: string | null;
  readonly settings: CompareOptions;
}

type Readers = Pick<ExperimentWorld, "parse">;

const titled = ({ title }: ReportWish): { readonly title?: string } => (title === null ? {} : { title });

const jobName = (runs: readonly RunResult[]): string | undefined =>
  runs.find(({ jobname }) => jobname !== null)?.jobname ?? undefined;

/** Several subjects are compared with the first, one is shown. */
const subjectsReport = (subjects: readonly ReportSubject[], wish: ReportWish): ReportInput => {
  const [only] = subjects;
  if (subjects.length === 1 && only !== undefined)
    return { kind: "run", title: wish.title ?? jobName(only.runs) ?? only.name, runs: only.runs };
  return { kind: "comparison", ...titled(wish), subjects, comparison: compareSubjects(subjects, wish.settings) };
};

const abReport = ({ header, records }: StoredExperiment, wish: ReportWish): ReportInput => {
  const cell = header.cells[0]?.name ?? "";
  return subjectsReport(
    header.subjects.map((subject) => reportSubject(subject, cell, records)),
    wish,
  );
};

/** The names and values in a cell's name, such as `t=4 F=256`. */
const settingsIn = (cell: string): readonly (readonly [name: string, value: string])[] =>
  cell.split(" ").map((part) => {
    const at = part.indexOf("=");
    return [part.slice(0, at), part.slice(at + 1)];
  });

const sweepReport = ({ header, records }: StoredExperiment, wish: ReportWish): ReportInput => {
  const varied = settingsIn(header.cells[0]?.name ?? "").map(([name]) => name);
  const several = header.subjects.length > 1;
  const swept = header.subjects.flatMap(({ name: subject }) =>
    header.cells
      .map((cell): SweptRuns => ({
        subject,
        values: settingsIn(cell.name).map(([, value]) => value),
        runs: measuredResults(records, subject, cell.name),
      }))
      .filter(({ runs }) => runs.length > 0),
  );
  return {
    kind: "sweep",
    ...titled(wish),
    varied: [...varied, ...(several ? ["subject"] : [])],
    cells: swept.map(({ subject, values, runs }) => ({ values: [...values, ...(several ? [subject] : [])], runs })),
    ...(wish.settings.metrics === undefined ? {} : { metrics: wish.settings.metrics }),
    knees: kneeLines(summarizeSweep(varied, swept, wish.settings.metrics)),
  };
};

/** The programs that are not ours are the reference. */
const validationReport = ({ header, records }: StoredExperiment, wish: ReportWish): ReportInput => {
  const references = header.subjects.flatMap(({ name, launch }) => (launch.kind === "external" ? [name] : []));
  return {
    kind: "validation",
    ...titled(wish),
    validation: judgeValidation(header, records, { policy: "measured", references, code: null }),
    subjects: header.subjects.flatMap(({ name }) =>
      header.cells.map((cell) => ({
        name: `${name}, ${cell.name}`,
        runs: measuredResults(records, name, cell.name),
      })),
    ),
  };
};

const EXPERIMENTS = { ab: abReport, sweep: sweepReport, validate: validationReport } as const;

const experimentReport = (text: string, file: string, wish: ReportWish): ReportInput => {
  const stored = readExperiment(text, file);
  const hasRuns = stored?.records.some(({ result, slot }) => result !== null && slot.round >= 1) === true;
  if (stored === null || !hasRuns) throw new UserError(`"${file}" holds no run yet`, "Let the experiment run first.");
  return EXPERIMENTS[stored.header.kind](stored, wish);
};

/**
 * Reads the files of a report: an experiment by itself is shown as what it is; other files are subjects, compared with the
 * first if there are several.
 *
 * @throws UserError, ParseError for files that cannot be read, understood or compared
 */
export const readReport = async (
  files: readonly string[],
  wish: ReportWish,
  io: Io,
  world: Readers,
): Promise<ReportInput> => {
  const named = files.map(readNamedFiles);
  const [first] = named;
  const [file] = first?.files ?? [];
  if (named.length === 1 && first?.name === null && file !== undefined) {
    const text = await readInput(file, io);
    if (isExperiment(text)) return experimentReport(text, file, wish);
    return subjectsReport(await readSubjects(named, io, world, async () => text), wish);
  }
  const subjects = await readSubjects(named, io, world);
  const cells = new Set(subjects.map(({ cell }) => cell));
  if (cells.size > 1)
    throw new UserError(
      `cannot put experiments of several cells into one report: ${[...cells].map((cell) => cell ?? "none").join(", ")}`,
      "Make a report of each.",
    );
  return subjectsReport(subjects, wish);
};
