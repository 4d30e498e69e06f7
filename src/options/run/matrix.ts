/**
 * The arithmetic of the matrix work: side lengths, and how `--split` divides footprint and operations.
 *
 * Upstream counterpart: the matrix sizes computed in main, and the division of operations in do_work.
 */
import { BYTES_PER_KIB } from "../../units.js";

const MATRICES = 3;
const BYTES_PER_CELL = 8;

/** Side of the three square matrices of 64-bit integers that fit a footprint in KiB: 256 → 104. */
export const matrixSide = (footprintKib: number): number =>
  Math.floor(Math.sqrt(Math.floor((footprintKib * BYTES_PER_KIB) / MATRICES / BYTES_PER_CELL)));

/** Bytes of the three matrices of one side. */
export const matrixBytes = (side: number): number => MATRICES * BYTES_PER_CELL * side * side;

/** One part of the work: the matrices' size and the multiplications per request. */
interface MatrixPart {
  /** Share of the footprint, before it is rounded to whole cells. */
  readonly kib: number;
  readonly side: number;
  readonly operations: number;
}

/** The work of a request: what each worker has for itself, and what one set of matrices has for all. */
export interface MatrixParts {
  readonly private: MatrixPart;
  readonly shared: MatrixPart;
}

/** Divides footprint and operations by the private share in percent; null: all private. */
export const matrixParts = (footprintKib: number, operations: number, splitPercent: number | null): MatrixParts => {
  const percent = splitPercent ?? 100;
  const privateKib = Math.floor((footprintKib * percent) / 100);
  const sharedKib = Math.floor((footprintKib * (100 - percent)) / 100);
  const privateOperations = Math.floor((operations * percent) / 100);
  return {
    private: { kib: privateKib, side: matrixSide(privateKib), operations: privateOperations },
    shared: { kib: sharedKib, side: matrixSide(sharedKib), operations: operations - privateOperations },
  };
};
