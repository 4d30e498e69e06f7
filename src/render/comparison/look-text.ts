/** The lines of an experiment that goes on until it is decided: what each look found, and how it ended. */
import type { Look } from "../../compare/comparison.js";
import type { LookedAt } from "../../compare/sequential.js";
import { changeText, intervalText } from "./comparison-text.js";

/** `after 8 of at most 40 runs: request p99 of b +3.1% [-0.4%, +6.5%] undecided`. */
export const lookText = ({ comparison, look }: LookedAt): string => {
  const primary = comparison.metrics.find((metric) => metric.primary);
  const found = (primary?.pairs ?? []).map(({ candidate, ratio }, index) => {
    const change = ratio === null ? "no ratio" : `${changeText(ratio.value)} ${intervalText(ratio)}`.trim();
    return `${primary?.label ?? ""} of ${candidate} ${change} ${look.decisions[index] ?? "undecided"}`;
  });
  return `after ${look.runs} of at most ${look.mostRuns} runs: ${found.join("; ")}`;
};

/** The line below the table on a terminal: only a look that is due decides. */
export const looksText = (looked: number, next: number, mostRuns: number): string =>
  `Looked ${looked} ${looked === 1 ? "time" : "times"}; the next look is after ${next} of at most ${mostRuns} runs, and nothing is judged before it.`;

/** How it ended, and what that saved. */
export const savedText = ({ runs, mostRuns, isDecided, decisions }: Look): string => {
  if (!isDecided) return `undecided after all ${mostRuns} runs of each subject`;
  const saved = (mostRuns - runs) * (decisions.length + 1);
  return `decided after ${runs} of at most ${mostRuns} runs of each subject: ${saved} runs saved`;
};
