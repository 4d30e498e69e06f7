/** Seeded random numbers: the same seed gives the same intervals, schedules and simulations on every machine. */
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** A stream of random numbers. */
export interface Random {
  /** Uniform integer in [0, limit). */
  readonly below: (limit: number) => number;
  /** Uniform in [0, 1), 53 bits. */
  readonly uniform: () => number;
}

/** The stream of a seed (an integer; 32 bits count). */
export const seededRandom = (seed: number): Random => {
  const generator = xoroshiro128plus(seed);
  return {
    below: (limit) => uniformInt(generator, 0, limit - 1),
    uniform: () => uniformFloat64(generator),
  };
};

/**
 * The stream of a seed and a label, so that what is drawn for one figure does not depend on which other figures are
 * asked for (the label is hashed with 32-bit FNV-1a).
 */
export const labelledRandom = (seed: number, label: string): Random => {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(label)) hash = Math.imul(hash ^ byte, 0x01000193);
  return seededRandom(seed ^ hash);
};

/** The items in random order (Fisher–Yates); the argument is left alone. */
export const shuffled = <T>(items: readonly T[], random: Random): T[] => {
  const left = [...items];
  const order: T[] = [];
  while (left.length > 0) order.push(...left.splice(random.below(left.length), 1));
  return order;
};
