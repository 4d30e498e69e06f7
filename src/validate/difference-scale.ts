/** How far two values lie apart: as a ratio where there is one, else as a share of a level, else in their own unit. */

/** Differences on a scale on which equal steps are equal percentages. */
export interface Scale {
  readonly difference: (ours: number, reference: number) => number;
  /** null: there is nothing of which it were a percentage. */
  readonly percent: (difference: number) => number | null;
  /** Of a relative difference. */
  readonly fromRelative: (relative: number) => number;
  /** A difference in the metric's unit, as a relative one. */
  readonly relative: (step: number) => number;
}

const logScale = (level: number): Scale => ({
  difference: (ours, reference) => Math.log(ours / reference),
  percent: (difference) => Math.expm1(difference) * 100,
  fromRelative: Math.log1p,
  relative: (step) => step / level,
});

/** Counts may be 0, of which there is no ratio: then differences in percent of what the references have on average. */
const linearScale = (level: number): Scale => ({
  difference: (ours, reference) => (ours - reference) / level,
  percent: (difference) => difference * 100,
  fromRelative: (relative) => relative,
  relative: (step) => step / level,
});

/** Where all references are 0 there are no percentages either: differences in the metric's unit. */
const ZERO_SCALE: Scale = {
  difference: (ours, reference) => ours - reference,
  percent: () => null,
  fromRelative: (relative) => relative,
  relative: (step) => step,
};

/** The scale for rounds with these values, in which the references have this level on average. */
export const scaleOf = (rows: readonly (readonly number[])[], level: number): Scale => {
  if (level === 0) return ZERO_SCALE;
  return rows.every((row) => row.every((value) => value > 0)) ? logScale(level) : linearScale(level);
};
