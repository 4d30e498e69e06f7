/** The next rounds of a validation that goes on until it is decided. Pure. */
import { type ExperimentHeader, type RunRecord, sameSlot, type Slot } from "../experiment/record.js";
import { roundSlots } from "../experiment/schedule.js";

/**
 * One further round for each of the given cells: the first that not every subject has done. A cell that has reached
 * `maxRounds` gets none.
 */
export const furtherRound = (
  header: ExperimentHeader,
  records: readonly RunRecord[],
  cellNames: readonly string[],
  maxRounds: number,
): readonly Slot[] => {
  const isDone = (slot: Slot) =>
    records.some((record) => record.excluded?.code !== "failed" && sameSlot(record.slot, slot));
  return header.cells
    .filter((cell) => cellNames.includes(cell.name))
    .flatMap((cell) => {
      const plan = { ...header, cells: [{ ...cell, rounds: maxRounds }] };
      for (let round = 1; round <= maxRounds; round++) {
        const slots = roundSlots(plan, round);
        if (!slots.every(isDone)) return slots;
      }
      return [];
    });
};
