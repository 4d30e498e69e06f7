/**
 * The order of runs: seeded random blocks. In each round the cells come in random order, and in each cell every subject
 * runs once, in random order, one directly after the other: what is compared is close in time, drift hits all alike,
 * and no subject always goes first. Round r depends on the seed and r alone, so further rounds can be added.
 *
 * Where subjects are booted, the boot takes the place of the round: in each, every subject makes its warm-up runs and its
 * rounds of one boot in one go, the subjects in random order, so that boots of all subjects alternate. Pure.
 */
import { labelledRandom, shuffled } from "../stats/random.js";
import type { ExperimentHeader, Slot } from "./record.js";

/** What the order of runs depends on. */
export type Plan = Pick<ExperimentHeader, "subjects" | "cells" | "rounds" | "warmupRounds" | "runsPerBoot" | "seed">;

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

/**
 * The boot that a round belongs to, from 1; always 1 where an experiment has no boots. The warm-up rounds of boot 1 are 0, -1, …,
 * those of boot 2 go on below.
 */
export const bootOf = ({ runsPerBoot, warmupRounds }: Plan, round: number): number => {
  if (runsPerBoot === undefined) return 1;
  return 1 + (round < 1 ? Math.floor(-round / warmupRounds) : Math.floor((round - 1) / runsPerBoot));
};

/** How many boots of each subject a plan has. */
export const bootsIn = (plan: Plan): number => bootOf(plan, plan.rounds);

/** The rounds of one boot in the order in which a subject makes them. */
const roundsOfBoot = ({ rounds, warmupRounds, runsPerBoot = rounds }: Plan, boot: number): readonly number[] => {
  const warmUp = Array.from({ length: warmupRounds }, (_, index) => (1 - boot) * warmupRounds - index);
  const first = (boot - 1) * runsPerBoot + 1;
  const measured = Array.from({ length: Math.min(runsPerBoot, rounds - first + 1) }, (_, index) => first + index);
  return [...warmUp, ...measured];
};

/** The runs of one boot of every subject, in order. */
const bootSlots = (plan: Plan, boot: number): readonly Slot[] => {
  const random = labelledRandom(plan.seed, `boot ${boot}`);
  return shuffled(plan.subjects, random)
    .flatMap(({ name }) =>
      roundsOfBoot(plan, boot).flatMap((round) =>
        shuffled(round < 1 ? plan.cells.slice(0, 1) : plan.cells, random).map((cell) => ({
          subject: name,
          cell: cell.name,
          round,
        })),
      ),
    )
    .map((place, order) => ({ ...place, order }));
};

/** All runs of an experiment in order: warm-up rounds first, of each boot where there are boots. */
export const schedule = (plan: Plan): readonly Slot[] => {
  if (plan.runsPerBoot !== undefined)
    return Array.from({ length: bootsIn(plan) }, (_, index) => bootSlots(plan, index + 1)).flat();
  const last = Math.max(...plan.cells.map((cell) => cell.rounds ?? plan.rounds));
  const slots: Slot[] = [];
  for (let round = 1 - plan.warmupRounds; round <= last; round++) slots.push(...roundSlots(plan, round));
  return slots;
};
