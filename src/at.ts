/** An element that must be there: a wrong index is a fault to be found, not a plausible number. */

/** The element at an index of a list or typed array; throws RangeError when there is none. */
export const at = <T>(list: { readonly length: number; readonly [index: number]: T }, index: number): T => {
  const element = list[index];
  if (element === undefined) throw new RangeError(`index ${index} of a list of ${list.length}`);
  return element;
};

/** The same for lists of 32-bit words alone. */
export const wordAt = (list: Uint32Array, index: number): number => {
  const element = list[index];
  if (element === undefined) throw new RangeError(`index ${index} of a list of ${list.length}`);
  return element;
};

/** The same for lists of doubles alone: in hot loops, where one function for every kind of list costs several times as much. */
export const numberAt = (list: Float64Array, index: number): number => {
  const element = list[index];
  if (element === undefined) throw new RangeError(`index ${index} of a list of ${list.length}`);
  return element;
};
