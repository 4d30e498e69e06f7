/**
 * Finds what was probably meant by a name that does not exist. Loaded only when an error is shown: nothing on the way
 * to a run imports it.
 */
import { distance } from "fastest-levenshtein";
import type { UserError } from "../../errors.js";
import { UnknownNameError } from "./unknown-name.js";

/** Letters changed between two names; two that have changed places are one slip, as in `hlep`. */
const slips = (a: string, b: string): number => {
  for (let at = 0; at + 1 < a.length; at++)
    if (`${a.slice(0, at)}${a.charAt(at + 1)}${a.charAt(at)}${a.slice(at + 2)}` === b) return 1;
  return distance(a, b);
};

const plain = (name: string) => name.toLowerCase().replaceAll("_", "-");

/**
 * The nearest of the known names: one that the wrong name begins, or the one with the fewest letters changed; undefined
 * when none is near.
 */
export const nearestName = (wrong: string, known: readonly string[]): string | undefined => {
  const wanted = plain(wrong);
  if (wanted === "") return undefined;
  const sameButForCase = known.find((name) => plain(name) === wanted);
  if (sameButForCase !== undefined) return sameButForCase;
  const begun = wanted.length > 1 ? known.find((name) => plain(name).startsWith(wanted)) : undefined;
  if (begun !== undefined) return begun;
  const ranked = known
    .map((name) => ({ name, edits: slips(wanted, plain(name)) }))
    .toSorted((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best !== undefined && best.edits <= Math.floor(wanted.length / 3) ? best.name : undefined;
};

/**
 * What to do about an error: its own remedy, or for an unknown name the nearest one; undefined when neither is known.
 *
 * @param everywhere options that hold for every command, and stand alone
 */
export const remedyFor = (error: UserError, everywhere: readonly string[] = []): string | undefined => {
  if (error.remedy !== undefined || !(error instanceof UnknownNameError)) return error.remedy;
  const { wrong, known } = error;
  if (everywhere.includes(wrong)) return `Write ${wrong} as a word of its own, before any --.`;
  const near = nearestName(wrong, wrong.startsWith("-") ? [...known, ...everywhere] : known);
  return near === undefined ? error.otherwise : `Did you mean ${near}?`;
};
