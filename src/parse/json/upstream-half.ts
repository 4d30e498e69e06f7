/**
 * Our JSON says a run twice: as upstream does, for the programs that read upstream's, and in full. What an editor or a script
 * changed in one half only must not be read by some and not by others. Pure.
 */
import type { RunResult } from "../../model/result/run-result.js";
import { upstreamHalf } from "../../text/schbench-json.js";

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

const valueIn = (value: unknown, key: string): unknown => entriesOf(value).find(([name]) => name === key)?.[1];

/** Where upstream's half of an object says something else than the result in it; null: nowhere. Keys it does not have are no matter. */
export const halvesDiffer = (document: unknown, result: RunResult): string | null => {
  for (const [half, own] of Object.entries(upstreamHalf(result)))
    for (const [key, value] of entriesOf(valueIn(document, half))) {
      const ours = valueIn(own, key);
      if (ours !== undefined && ours !== value)
        return `"${key}" under "${half}" is ${JSON.stringify(value)}, the result under "schbench_ts" has ${JSON.stringify(ours)}`;
    }
  return null;
};
