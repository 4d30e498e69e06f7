/** How long the rest of an experiment will take, from the runs so far and the run times asked for. Pure. */
import type { RunRecord, Slot } from "./record.js";
import type { Cell } from "./subject.js";

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Start and end of a run that has no example yet. */
const OVERHEAD_SEC = 0.5;

/**
 * Seconds that the given slots will take, by the nearest example each: the same subject and cell, else the same cell,
 * else the cell's run time; null when a slot has none of them.
 */
export const secondsLeft = (
  slots: readonly Slot[],
  cells: readonly Cell[],
  records: readonly RunRecord[],
): number | null => {
  let sum = 0;
  const known = new Map<string, number | null>();
  for (const slot of slots) {
    const key = `${slot.subject}\n${slot.cell}`;
    if (!known.has(key)) {
      const sameCell = records.filter((record) => record.slot.cell === slot.cell && record.result !== null);
      const same = sameCell.filter((record) => record.slot.subject === slot.subject);
      const asked = cells.find((cell) => cell.name === slot.cell)?.runtimeSec;
      const took = (list: readonly RunRecord[]) => mean(list.map((record) => record.tookSec));
      known.set(key, took(same) ?? took(sameCell) ?? (asked ? asked + OVERHEAD_SEC : null));
    }
    const seconds = known.get(key);
    if (seconds === null || seconds === undefined) return null;
    sum += seconds;
  }
  return sum;
};
