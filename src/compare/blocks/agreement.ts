/** Whether blocks (machines) show one effect, and which do not. Pure. */
import { at } from "../../at.js";
import { disagreementP, type LogSides, placeEffects } from "../../stats/blocks/place-effects.js";
import { disagreement, type PlaceEffect, randomEffect } from "../../stats/blocks/random-effects.js";
import { isAtMost } from "../../stats/significance/multiple-testing.js";
import type { Random } from "../../stats/random.js";
import { normalQuantile } from "../../stats/distributions.js";

/** Cochran's test of one effect in all blocks. */
export interface Agreement {
  readonly q: number;
  readonly degrees: number;
  /** The chance of so much disagreement where all have one effect. */
  readonly p: number;
  readonly method: "permutation" | "chi-square";
  /** Share of the scatter of the effects that runs do not explain, 0 to 1. */
  readonly iSquared: number;
  /** Standard deviation of the effect from block to block, relative: 0.03 is 3 % of the ratio. */
  readonly tau: number;
  /** Where they disagree: the blocks apart from the others, farthest first, as indexes of `Comparison.blocks.rows`. */
  readonly apart: readonly number[];
}

/** A block's effect. */
export interface BlockSides extends LogSides {
  /** Index of its row. */
  readonly row: number;
}

/** The effects of blocks, with how they disagree; null for fewer than two. */
export interface BlockEffects {
  readonly effects: readonly PlaceEffect[];
  readonly tauSquared: number;
}

/** The effects of at least two blocks. */
export const blockEffects = (blocks: readonly LogSides[]): BlockEffects => {
  const effects = placeEffects(blocks);
  return { effects, tauSquared: disagreement(effects).tauSquared };
};

/**
 * How far a block lies from what the others say, in standard errors: the studentised deleted residual (W. Viechtbauer, M. Cheung 2010, "Outlier
 * and influence diagnostics for meta-analysis", Research Synthesis Methods 1:112–125).
 */
const residualOf = (effects: readonly PlaceEffect[], index: number): number => {
  const others = effects.filter((_, other) => other !== index);
  const { effect, variance } = at(effects, index);
  const tauSquared = others.length < 2 ? 0 : disagreement(others).tauSquared;
  const weights = others.reduce((sum, other) => sum + 1 / (other.variance + tauSquared), 0);
  const center = others.length < 2 ? at(others, 0).effect : randomEffect(others, tauSquared).effect;
  return (effect - center) / Math.sqrt(variance + tauSquared + 1 / weights);
};

/** The blocks that are apart, at least one. */
const apartOf = (blocks: readonly BlockSides[], effects: readonly PlaceEffect[], level: number): readonly number[] => {
  const far = blocks
    .map(({ row }, index) => ({ row, distance: Math.abs(residualOf(effects, index)) }))
    .toSorted((a, b) => b.distance - a.distance);
  const limit = normalQuantile(1 - level / 2 / blocks.length);
  const found = far.filter(({ distance }) => distance > limit);
  // Of two that disagree neither is the one apart.
  return blocks.length < 3 ? [] : (found.length === 0 ? far.slice(0, 1) : found).map(({ row }) => row);
};

/** Tests whether blocks show one effect; null for fewer than two. */
export const agreementOf = (blocks: readonly BlockSides[], level: number, random: Random): Agreement | null => {
  if (blocks.length < 2) return null;
  const effects = placeEffects(blocks);
  const { q, degrees, iSquared, tauSquared } = disagreement(effects);
  const { p, method } = disagreementP(blocks, random);
  return {
    q,
    degrees,
    p,
    method,
    iSquared,
    tau: Math.sqrt(tauSquared),
    apart: isAtMost(p, level) ? apartOf(blocks, effects, level) : [],
  };
};
