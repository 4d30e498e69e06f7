/** Finds what was probably meant by a name that does not exist. */
import { distance } from "fastest-levenshtein";

const plain = (name: string) => name.toLowerCase().replaceAll("_", "-");

/**
 * The nearest of the known names: one that the wrong name begins, or the one with the fewest letters changed; undefined
 * when none is near.
 */
export const nearestName = (wrong: string, known: readonly string[]): string | undefined => {
  const wanted = plain(wrong);
  if (wanted === "") return undefined;
  const begun = wanted.length > 1 ? known.find((name) => plain(name).startsWith(wanted)) : undefined;
  if (begun !== undefined) return begun;
  const ranked = known
    .map((name) => ({ name, edits: distance(wanted, plain(name)) }))
    .toSorted((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best !== undefined && best.edits <= Math.max(1, Math.floor(wanted.length / 3)) ? best.name : undefined;
};
