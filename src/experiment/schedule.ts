/**
 * The order of runs: seeded random blocks. In each round the cells come in random order, and in each cell every subject
 * runs once, in random order, one directly after the other: what is compared is close in time, drift hits all alike,
 * and no subject always goes first. Round r depends on the seed and r alone, so further rounds can be added. Pure.
 */
import { labelledRandom, shuffled } from "../stats/random.js";
import type { ExperimentHeader, Slot } from "./record.js";

/** What the order of runs depends on. */
export type Plan = Pick<ExperimentHeader, "subjects" | "cells" | "rounds" | "warmupRounds" | "seed">;

/** The runs of one round (1 and up: measured; 0 and below: warm-up, in the first cell only), in order. */
export const roundSlots = (plan: Plan, round: number): readonly Slot[] => {
  const random = labelledRandom(plan.seed, `round ${round}`);
  const cells = round < 1 ? plan.cells.slice(0, 1) : plan.cells.filter((cell) => round <= (cell.rounds ?? plan.rounds));
  return shuffled(cells, random)
    .flatMap((cell) =>
      shuffled(plan.subjects, random).map((subject) => ({ subject: subject.name, cell: cell.name, round })),
    )
    .map((place, order) => ({ ...place, order }));
};

/** All runs of an experiment in order: warm-up rounds first. */
export const schedule = (plan: Plan): readonly Slot[] => {
  const last = Math.max(...plan.cells.map((cell) => cell.rounds ?? plan.rounds));
  const slots: Slot[] = [];
  for (let round = 1 - plan.warmupRounds; round <= last; round++) slots.push(...roundSlots(plan, round));
  return slots;
};
