/** The table of goals: subjects in turn, axis by axis, each figure against the references of the same rounds. */
import { mean } from "../src/stats/sample.js";
import type { Axis, Figure } from "./axes.js";
import { goalText, type GoalVerdict, judgeGoal } from "./goals.js";
import { type BenchSubject, runSubject } from "./subjects.js";

/** One figure of one axis. */
export interface FigureRow {
  readonly axis: string;
  readonly flags: string;
  readonly figure: string;
  readonly goal: Figure["goal"];
  /** By subject: one value per round. */
  readonly values: Readonly<Record<string, readonly number[]>>;
  /** By subject of ours. */
  readonly verdicts: Readonly<Record<string, GoalVerdict>>;
}

type Values = ReadonlyMap<string, readonly number[]>;

/** Values by figure and subject of all rounds of an axis; the order of subjects rotates with the round. */
const measure = async (axis: Axis, subjects: readonly BenchSubject[], rounds: number): Promise<Values> => {
  const values = new Map<string, readonly number[]>();
  for (let round = 0; round < rounds; round++) {
    for (let k = 0; k < subjects.length; k++) {
      const subject = subjects[(k + round) % subjects.length];
      if (subject === undefined) continue;
      const result = await runSubject(subject, axis.flags.split(" "));
      for (const { name, read } of axis.figures) {
        const key = `${name} ${subject.name}`;
        values.set(key, [...(values.get(key) ?? []), read(result) ?? Number.NaN]);
      }
    }
  }
  return values;
};

const rowOf = (axis: Axis, figure: Figure, subjects: readonly BenchSubject[], measured: Values): FigureRow => {
  const valuesOf = ({ name }: BenchSubject): readonly number[] => measured.get(`${figure.name} ${name}`) ?? [];
  const references = subjects.filter(({ isOurs }) => !isOurs).map(valuesOf);
  return {
    axis: axis.name,
    flags: axis.flags,
    figure: figure.name,
    goal: figure.goal,
    values: Object.fromEntries(subjects.map((subject) => [subject.name, valuesOf(subject)])),
    verdicts: Object.fromEntries(
      subjects
        .filter(({ isOurs }) => isOurs)
        .map((subject) => [
          subject.name,
          judgeGoal(figure.goal, valuesOf(subject), references, `${axis.name} ${figure.name} ${subject.name}`),
        ]),
    ),
  };
};

/** A figure with its range over rounds, in at most three significant digits behind the point. */
export const rangeText = (values: readonly number[]): string => {
  const digits = Math.max(...values) < 100 ? 1 : 0;
  const text = (value: number): string => value.toFixed(digits).replaceAll(/\B(?=(\d{3})+(?!\d))/gu, ",");
  return `${text(mean(values))} [${text(Math.min(...values))}–${text(Math.max(...values))}]`;
};

/** Runs all subjects on the axes in turn, and says each row as soon as it is known. */
export const compareWithReferences = async (
  axes: readonly Axis[],
  subjects: readonly BenchSubject[],
  rounds: number,
  say: (text: string) => void,
): Promise<readonly FigureRow[]> => {
  const rows: FigureRow[] = [];
  for (const axis of axes) {
    const measured = await measure(axis, subjects, rounds);
    for (const figure of axis.figures) {
      const row = rowOf(axis, figure, subjects, measured);
      rows.push(row);
      say(`${axis.name} (${axis.flags}), ${figure.name}\n`);
      for (const [name, values] of Object.entries(row.values)) {
        const verdict = row.verdicts[name];
        const judged = verdict === undefined ? "" : goalText(figure.goal, verdict);
        say(`  ${name.padEnd(10)} ${rangeText(values).padEnd(30)} ${judged}\n`);
      }
    }
  }
  return rows;
};
