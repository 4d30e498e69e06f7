/** The words of a gate, the same in every format that test farms read. */
import type { Gate, GateRow } from "../../compare/gate.js";
import { changeText, intervalText, percentText, pText } from "../comparison/comparison-text.js";

/** `wakeup p99, patched against base, t=4`. */
export const rowName = ({ label, base, candidate, cell }: GateRow): string =>
  [label, `${candidate} against ${base}`, ...(cell === null ? [] : [cell])].join(", ");

/** What a gate lets pass, in a sentence. */
export const ruleText = ({ failOn, margin }: Gate): string => {
  const what = failOn === "different" ? "better or worse" : failOn;
  if (margin === null) return `Fails where a metric is shown to be ${what}.`;
  const percent = percentText(margin);
  return `Passes where the whole interval stays under ${percent} ${what}; fails where more than that is shown.`;
};

/** Why a row has its status: the change, its interval, its p. */
export const rowReason = ({ ratio, status, direction, adjustedP }: GateRow): string => {
  const change = ratio === null ? "no ratio" : `change ${changeText(ratio.value)} ${intervalText(ratio)}`.trim();
  const p = pText(adjustedP);
  const why = status === "undecided" ? "not known from these runs" : (direction ?? "no difference that matters shown");
  return [why, change, ...(p === "" ? [] : [p])].join(", ");
};
