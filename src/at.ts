/** An element that must be there: a wrong index is a fault to be found, not a plausible number. */

/** The element at an index of a list or typed array; throws RangeError when there is none. */
export const at = <T>(list: { readonly length: number; readonly [index: number]: T }, index: number): T => {
  const element = list[index];
  if (element === undefined) throw new RangeError(`index ${index} of a list of ${list.length}`);
  return element;
};
