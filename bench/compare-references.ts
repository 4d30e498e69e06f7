/** The table of goals: subjects in turn, axis by axis, each figure against the references of the same rounds. */
import { AXES, type Figure } from "./axes.js";
import { type BenchSubject, runSubject } from "./subjects.js";

/** Average, minimum and maximum over rounds. */
export interface Spread {
  readonly average: number;
  readonly min: number;
  readonly max: number;
}

/** One figure of one axis. */
export interface FigureRow {
  readonly axis: string;
  readonly flags: string;
  readonly figure: string;
  readonly goal: Figure["goal"];
  readonly subjects: Readonly<Record<string, Spread | null>>;
  /** Per judged subject: whether it meets the goal, and its signed distance. */
  readonly verdicts: Readonly<Record<string, string>>;
}

const spreadOf = (values: readonly number[]): Spread | null =>
  values.length === 0
    ? null
    : {
        average: values.reduce((sum, value) => sum + value, 0) / values.length,
        min: Math.min(...values),
        max: Math.max(...values),
      };

const percent = (ratio: number): string => `${ratio >= 0 ? "+" : ""}${(ratio * 100).toFixed(1)} %`;

const verdictOf = (goal: Figure["goal"], mine: number, references: readonly number[]): string => {
  const [low, high] = [Math.min(...references), Math.max(...references)];
  if (goal === "usec") return mine <= low + 1 ? "met" : `missed (+${(mine - low).toFixed(1)} us)`;
  if (goal === "rate") return mine >= high ? "met" : `missed (${percent(mine / high - 1)})`;
  if (mine >= low && mine <= high) return "met (inside)";
  const distance = mine < low ? mine / low - 1 : mine / high - 1;
  return Math.abs(distance) <= 0.01 ? `met (${percent(distance)})` : `missed (${percent(distance)})`;
};

/** Runs all subjects on the axes in turn; the order rotates with the round. */
export const compareWithReferences = async (
  subjects: readonly BenchSubject[],
  rounds: number,
  axisNames: readonly string[],
  say: (text: string) => void,
): Promise<readonly FigureRow[]> => {
  const rows: FigureRow[] = [];
  for (const { name, flags, figures } of AXES.filter(
    (axis) => axisNames.length === 0 || axisNames.includes(axis.name),
  )) {
    const seen = new Map<string, number[]>();
    for (let round = 0; round < rounds; round++) {
      for (let k = 0; k < subjects.length; k++) {
        const subject = subjects[(k + round) % subjects.length];
        if (subject === undefined) continue;
        const result = await runSubject(subject, flags.split(" "));
        for (const figure of figures) {
          const value = figure.read(result);
          const key = `${figure.name} ${subject.name}`;
          if (value !== null) seen.set(key, [...(seen.get(key) ?? []), value]);
        }
      }
    }
    for (const { name: figure, goal } of figures) {
      const spreads = Object.fromEntries(
        subjects.map((s) => [s.name, spreadOf(seen.get(`${figure} ${s.name}`) ?? [])]),
      );
      const references = subjects.filter((s) => !s.isOurs).flatMap((s) => spreads[s.name]?.average ?? []);
      const verdicts = Object.fromEntries(
        subjects
          .filter((s) => s.isOurs)
          .map((s) => [s.name, verdictOf(goal, spreads[s.name]?.average ?? Number.NaN, references)]),
      );
      rows.push({ axis: name, flags, figure, goal, subjects: spreads, verdicts });
      const cells = subjects.map((s) => {
        const spread = spreads[s.name];
        if (spread === null || spread === undefined) return `${s.name} -`;
        return `${s.name} ${spread.average.toFixed(1)} [${spread.min.toFixed(1)}-${spread.max.toFixed(1)}] ${verdicts[s.name] ?? ""}`;
      });
      say(`${name.padEnd(9)} ${figure.padEnd(12)} ${cells.join("   ")}\n`);
    }
  }
  return rows;
};
