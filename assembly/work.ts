/**
 * The work of a request: naive products of square matrices of 64-bit integers.
 *
 * The running sum is stored to the c cell on every k: both compilers keep that store upstream, since the matrices may
 * alias, so it is part of the load. So is that a and b are never written: they are the kernel's zero page.
 *
 * Upstream counterpart: do_some_math, do_work.
 */
import { lock_this_cpu, unlock } from "./cpu-lock";
import { stopping } from "./failure";
import { ThreadData } from "./memory/layout";

/** c = a · b for three matrices of `side` × `side` that lie back to back at `data`. */
export function do_some_math(data: usize, side: u32): void {
  const rows: usize = side;
  const row: usize = rows << 3;
  const b: usize = data + rows * row;
  let c: usize = b + rows * row;
  for (let aRow = data; aRow < b; aRow += row) {
    const aEnd = aRow + row;
    for (let bColumn = b; bColumn < b + row; bColumn += 8) {
      dot(aRow, aEnd, bColumn, row, c);
      c += 8;
    }
  }
}

/**
 * One c cell. Four products a turn, as clang makes of the C loop (gcc leaves one), all from one pointer down the column: per
 * product the loads, the store and the additions to addresses that the compilers make of the original
 * (docs/performance.md). What is left over of the side comes first.
 */
// @ts-ignore: decorator
@inline
function dot(a: usize, aEnd: usize, b: usize, row: usize, c: usize): void {
  let sum: u64 = 0;
  store<u64>(c, sum);
  while ((aEnd - a) & 24) {
    sum += load<u64>(a) * load<u64>(b);
    store<u64>(c, sum);
    a += 8;
    b += row;
  }
  const twoRows = row << 1;
  const threeRows = twoRows + row;
  const fourRows = row << 2;
  while (a != aEnd) {
    sum += load<u64>(a) * load<u64>(b);
    store<u64>(c, sum);
    sum += load<u64>(a, 8) * load<u64>(b + row);
    store<u64>(c, sum);
    sum += load<u64>(a, 16) * load<u64>(b + twoRows);
    store<u64>(c, sum);
    sum += load<u64>(a, 24) * load<u64>(b + threeRows);
    store<u64>(c, sum);
    a += 32;
    b += fourRows;
  }
}

/** The shared products, then the private ones, under the lock unless locking is off. */
export function do_work(td: ThreadData): void {
  const control = td.control;
  const lock = control.locking ? lock_this_cpu(td) : 0;
  multiply(td, control.sharedData, control.sharedSide, control.sharedOperations);
  multiply(td, td.data, control.privateSide, control.privateOperations);
  if (lock) unlock(lock);
}

/** A run that is over need not finish its request: nothing of it is counted. */
function multiply(td: ThreadData, data: usize, side: u32, operations: u32): void {
  if (side == 0) return;
  for (let i: u32 = 0; i < operations && !stopping(td); i++) do_some_math(data, side);
}
