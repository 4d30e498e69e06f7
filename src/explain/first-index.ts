/** Search in lists that are in the order of time. */
import { at } from "../at.js";

/** Index of the first item for which `isAfter` holds, in a list where it holds from some place on. */
export const firstIndex = <T>(items: readonly T[], isAfter: (item: T) => boolean): number => {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isAfter(at(items, middle))) high = middle;
    else low = middle + 1;
  }
  return low;
};
