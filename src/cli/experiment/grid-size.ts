/** How large a grid of settings may be before somebody has to say that it is meant. */
import { counted } from "../../counted.js";
import { UsageError } from "../../errors.js";
import type { OptionSpec } from "../../options/line/option-table.js";
import { durationText } from "../../render/progress.js";

/** Says that a large grid is meant. */
export const largeOption = {
  id: "large",
  kind: "flag",
  long: ["large"],
  group: "Settings",
  meaning: "make a grid of settings that takes more than a day or 10,000 runs",
} as const satisfies OptionSpec;

const MOST_RUNS = 10_000;
const MOST_SEC = 24 * 3600;
/** More settings are not laid out at all. */
const MOST_SETTINGS = 100_000;
/** Start and end of a run. */
const OVERHEAD_SEC = 0.5;

/** A grid before it is laid out. */
export interface GridSize {
  /** As on the command line: `t=1..64`. */
  readonly vary: readonly string[];
  readonly settings: number;
  readonly subjects: number;
  readonly rounds: number;
  /** Of one run; null: not known. */
  readonly runtimeSec: number | null;
}

/** `5 h 20 min`; of days the hours are enough. */
const longText = (seconds: number): string => {
  const hours = Math.round(seconds / 3600);
  return hours < 48 ? durationText(seconds) : counted(Math.round(hours / 24), "day");
};

/**
 * Refuses a grid that is more likely a slip of the pen than a wish.
 *
 * @throws UsageError that says how many runs it would take, and how long
 */
export const refuseLarge = ({ vary, settings, subjects, rounds, runtimeSec }: GridSize, isLarge: boolean): void => {
  const runs = settings * subjects * rounds;
  const seconds = runtimeSec === null ? null : runs * (runtimeSec + OVERHEAD_SEC);
  const isTooLarge = runs > MOST_RUNS || (seconds ?? 0) > MOST_SEC;
  if (settings <= MOST_SETTINGS && (isLarge || !isTooLarge)) return;
  const takes = seconds === null ? "" : `, about ${longText(seconds)}`;
  const insist =
    settings > MOST_SETTINGS ? `At most ${MOST_SETTINGS} settings are possible` : "Or make them all with --large";
  throw new UsageError(
    `--vary ${vary.map((one) => `"${one}"`).join(" --vary ")} asks for ${counted(settings, "setting")}: ${counted(runs, "run")}${takes}`,
    `Give fewer values (t=1..64 doubles, t=8..64+8 goes in steps), fewer --runs or a shorter -r after the --. ${insist}.`,
  );
};
