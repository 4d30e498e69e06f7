/** What a report is to be made of: the files that `schbench-ts report` was given, whatever kind they are. */
import { at } from "../../at.js";
import { UserError } from "../../errors.js";
import type { CompareOptions } from "../../compare/compare.js";
import { measuredResults } from "../../experiment/record.js";
import { isExperiment, type StoredExperiment } from "../../experiment/read-experiment.js";
import { summarizeSweep, type SweptRuns } from "../../compare/sweep.js";
import { judgeValidation } from "../../validate/validate.js";
import type { RunResult } from "../../model/result/run-result.js";
import type { ReportInput, ReportSubject } from "../../render/reports/report-input.js";
import { kneeLines } from "../../render/comparison/sweep-text.js";
import { reportSubject } from "../experiment/report-subject.js";
import type { Io } from "../io/command.js";
import type { ExperimentWorld } from "../io/experiment-world.js";
import { type OpenText, openText } from "../io/open-text.js";
import { commandsIn, experimentCommandLine } from "../experiment/experiment-command-line.js";
import { judge, type JudgedCell } from "../output/judged.js";
import { judgedReport } from "../output/judged-output.js";
import type { Judgement } from "../../experiment/judgement.js";
import { compareSettings, type JudgingOptions, namedMetrics } from "../options/judge-options.js";
import { judgedAsKept, keptIn, type ReadHeader } from "./kept-judgement.js";
import { settingsIn } from "../experiment/cell-settings.js";
import { onceInExperiment } from "./repeated-records.js";
import { type Keep, keepForPage, readStore } from "./stored-runs.js";
import { filesOf, readNamedFiles, readSubjects } from "./subject-files.js";

/** How the report is to be made. */
interface ReportWish {
  readonly title: string | null;
  readonly settings: CompareOptions;
}

/** The same as it was asked for: what it leaves open, the files may say. */
export interface AskedReport {
  readonly title: string | null;
  readonly options: JudgingOptions;
  readonly seed: number;
}

const wishOf = ({ title, options, seed }: AskedReport, kept: Judgement | undefined): ReportWish => ({
  title,
  settings: compareSettings(judgedAsKept(options, kept), seed),
});

type Readers = Pick<ExperimentWorld, "parse">;

const titled = ({ title }: ReportWish): { readonly title?: string } => (title === null ? {} : { title });

const jobName = (runs: readonly RunResult[]): string | undefined =>
  runs.find(({ jobname }) => jobname !== null)?.jobname ?? undefined;

/** Several subjects are compared with the first, one is shown. */
const subjectsReport = (subjects: readonly ReportSubject[], wish: ReportWish): ReportInput => {
  const [only] = subjects;
  if (subjects.length === 1 && only !== undefined)
    return { kind: "run", title: wish.title ?? jobName(only.runs) ?? only.name, runs: only.runs };
  return { ...judgedReport(judge([], [{ name: "", values: [], subjects }], null, wish.settings)), ...titled(wish) };
};

/** The settings of an experiment that has runs in every one of them. */
const judgedCells = ({ header, records }: StoredExperiment): readonly JudgedCell[] =>
  header.cells
    .map((cell) => ({
      name: cell.name,
      values: settingsIn(cell.name).map(([, value]) => value),
      subjects: header.subjects.map((subject) => reportSubject(subject, cell.name, records)),
    }))
    .filter(({ subjects }) => subjects.every(({ runs }) => runs.length > 0));

/** Subjects compared under one setting or several. */
const abReport = (stored: StoredExperiment, wish: ReportWish): ReportInput => {
  const cells = judgedCells(stored);
  const [only] = cells;
  if (cells.length === 1 && only !== undefined && stored.header.cells.length === 1)
    return subjectsReport(only.subjects, wish);
  const varied = settingsIn(cells[0]?.name ?? "").map(([name]) => name);
  return {
    ...judgedReport(judge(varied, cells, experimentCommandLine(stored.header), wish.settings)),
    ...titled(wish),
  };
};

const sweepReport = (stored: StoredExperiment, wish: ReportWish): ReportInput => {
  const { header, records } = stored;
  const varied = settingsIn(header.cells[0]?.name ?? "").map(([name]) => name);
  const swept = header.subjects.flatMap(({ name: subject }) =>
    header.cells
      .map((cell): SweptRuns => ({
        subject,
        values: settingsIn(cell.name).map(([, value]) => value),
        runs: measuredResults(records, subject, cell.name),
      }))
      .filter(({ runs }) => runs.length > 0),
  );
  const knees = kneeLines(summarizeSweep(varied, swept, wish.settings.metrics));
  const several = header.subjects.length > 1;
  if (several && judgedCells(stored).length > 1) {
    const compared = abReport(stored, wish);
    return compared.kind === "grid" ? { ...compared, knees } : compared;
  }
  return {
    kind: "sweep",
    ...titled(wish),
    varied: [...varied, ...(several ? ["subject"] : [])],
    cells: swept.map(({ subject, values, runs }) => ({ values: [...values, ...(several ? [subject] : [])], runs })),
    ...(wish.settings.metrics === undefined ? {} : { metrics: wish.settings.metrics }),
    knees,
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

const levelled = (stored: StoredExperiment | null, level: Keep): StoredExperiment | null =>
  stored === null
    ? null
    : {
        ...stored,
        records: stored.records.map((record) =>
          record.result === null ? record : { ...record, result: level(record.result) },
        ),
      };

const experimentReport = async (input: OpenText, file: string, asked: AskedReport, io: Io): Promise<ReportInput> => {
  const experiments: ReadHeader[] = [];
  const page = keepForPage(() => namedMetrics(wishOf(asked, experiments[0]?.header.judgement).settings));
  const stored = levelled(
    onceInExperiment(
      await readStore(input, file, {
        keep: page.keep,
        io,
        onHeader: (header) => void experiments.push({ file, header }),
      }),
      file,
      io,
    ),
    page.level,
  );
  const hasRuns = stored?.records.some(({ result, slot }) => result !== null && slot.round >= 1) === true;
  if (stored === null || !hasRuns) throw new UserError(`"${file}" holds no run yet`, "Run the experiment first.");
  const wish = wishOf(asked, keptIn(experiments, asked.options, io));
  return io.atOnce(() => EXPERIMENTS[stored.header.kind](stored, wish));
};

/**
 * Reads the files of a report: an experiment by itself is shown as what it is; other files are subjects, compared with the
 * first if there are several.
 *
 * @throws UserError, ParseError for files that cannot be read, understood or compared
 */
export const readReport = async (
  files: readonly string[],
  asked: AskedReport,
  io: Io,
  world: Readers,
): Promise<ReportInput> => {
  const named = files.map(readNamedFiles);
  const experiments: ReadHeader[] = [];
  const wishes = {
    ...keepForPage(() => namedMetrics(wishOf(asked, experiments[0]?.header.judgement).settings)),
    onHeader: (read: ReadHeader) => void experiments.push(read),
  };
  const [first] = named;
  const [file] = first?.files ?? [];
  if (named.length === 1 && first?.name === null && file !== undefined) {
    const input = await openText(file, io);
    if (isExperiment(input.head)) return experimentReport(input, file, asked, io);
    const inside = await readSubjects(named, io, world, { ...wishes, open: async () => input });
    const wish = wishOf(asked, undefined);
    return io.atOnce(() => subjectsReport(inside, wish));
  }
  const subjects = await readSubjects(named, io, world, wishes);
  const wish = wishOf(asked, keptIn(experiments, asked.options, io));
  const settings = { ...wish.settings, files: filesOf(subjects) };
  const names = [...new Set(subjects.map(({ cell }) => cell ?? ""))];
  if (names.length > 1) {
    const cells = names.map((name) => ({
      name,
      values: settingsIn(name).map(([, value]) => value),
      subjects: subjects.filter(({ cell }) => (cell ?? "") === name),
    }));
    const varied = settingsIn(at(names, 0)).map(([name]) => name);
    return {
      ...judgedReport(io.atOnce(() => judge(varied, cells, commandsIn(experiments), settings))),
      ...titled(wish),
    };
  }
  return io.atOnce(() => subjectsReport(subjects, { ...wish, settings }));
};
