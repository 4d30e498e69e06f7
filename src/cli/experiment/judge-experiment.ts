/** The runs of an experiment that is done, judged under every one of its settings. */
import type { CompareOptions } from "../../compare/compare.js";
import type { Subject } from "../../experiment/subject.js";
import type { OpenExperiment } from "./conduct-experiment.js";
import { experimentCommandLine } from "./experiment-command-line.js";
import { judge, type Judged } from "../output/judged.js";
import { reportSubject } from "./report-subject.js";
import type { VariedCells } from "./varied-cells.js";

/** Judges what an experiment has stored; `subjects` has the base first. */
export const judgeExperiment = (
  { header, records }: OpenExperiment,
  subjects: readonly Subject[],
  { names, cells }: VariedCells,
  settings: CompareOptions,
): Judged =>
  judge(
    names,
    cells.map(({ cell, values }) => ({
      name: cell.name,
      values,
      subjects: subjects.map((subject) => reportSubject(subject, cell.name, records())),
    })),
    experimentCommandLine(header),
    settings,
  );
