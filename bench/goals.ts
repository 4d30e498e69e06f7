/**
 * Is a goal met? Our average over rounds against those of the references, and how far other rounds might have moved the
 * distance: whole rounds are drawn (bootstrap), so that what the machine did to all subjects of a round cancels.
 */
import { bootstrap, DEFAULT_RESAMPLES, type Interval, intervalOf } from "../src/stats/intervals/bootstrap.js";
import { labelledRandom } from "../src/stats/random.js";
import { mean } from "../src/stats/sample.js";

/**
 * What a figure is held against: `envelope`: between the references, or within 1 % of them; `usec`: at most 1 µs above the
 * faster one; `rate`: at least the faster one's.
 */
export type Goal = "envelope" | "usec" | "rate";

/** A figure against its goal. */
export interface GoalVerdict {
  readonly met: boolean;
  /** How far beyond the goal's limit, signed as the figure moves; 0 where it is met. In percent, for `usec` in µs. */
  readonly distance: number;
  /** 95 % interval of that distance; null with fewer than two rounds. */
  readonly interval: Interval | null;
  /** Missed, and the interval says that other rounds would have missed it, too. */
  readonly shown: boolean;
}

const ENVELOPE_MARGIN_PERCENT = 1;
const USEC_MARGIN = 1;

const beyond = (value: number, limit: number): number => (value / limit - 1) * 100;

/** Distance beyond the limit of a goal; 0 where it is met. */
const DISTANCES: Readonly<Record<Goal, (mine: number, lowest: number, highest: number) => number>> = {
  envelope: (mine, lowest, highest) => {
    const distance = mine > highest ? beyond(mine, highest) : Math.min(0, beyond(mine, lowest));
    return Math.abs(distance) <= ENVELOPE_MARGIN_PERCENT ? 0 : distance;
  },
  usec: (mine, lowest) => Math.max(0, mine - lowest - USEC_MARGIN),
  rate: (mine, _, highest) => Math.min(0, beyond(mine, highest)),
};

/** Judges our rounds against those of the references; all lists have one value per round, in the same order. */
export const judgeGoal = (
  goal: Goal,
  mine: readonly number[],
  references: readonly (readonly number[])[],
  label: string,
): GoalVerdict => {
  const distanceOf = (rounds: Uint32Array): number => {
    const averageOf = (values: readonly number[]): number =>
      mean(Array.from(rounds, (round) => values[round] ?? Number.NaN));
    const averages = references.map(averageOf);
    return DISTANCES[goal](averageOf(mine), Math.min(...averages), Math.max(...averages));
  };
  const distance = distanceOf(Uint32Array.from(mine.keys()));
  const interval =
    mine.length < 2
      ? null
      : intervalOf(bootstrap(mine.length, DEFAULT_RESAMPLES, labelledRandom(1, label), distanceOf), 0.95, mine.length);
  const met = distance === 0;
  return { met, distance, interval, shown: !met && interval !== null && (interval.low > 0 || interval.high < 0) };
};

const signed = (value: number): string => `${value > 0 ? "+" : ""}${value.toFixed(1)}`;

/** The verdict in words: `met`, or by how much it was missed and whether that is more than noise. */
export const goalText = (goal: Goal, { met, distance, interval, shown }: GoalVerdict): string => {
  if (met) return "met";
  const unit = goal === "usec" ? "µs" : "%";
  if (interval === null) return `missed by ${signed(distance)} ${unit}`;
  const range = `[${signed(interval.low)}, ${signed(interval.high)}]`;
  return `missed by ${signed(distance)} ${unit} ${range}${shown ? "" : ", within noise"}`;
};
