/**
 * The schedule of paced arrivals: slot k of a rate is due k intervals after the start of the clock, and belongs to message
 * thread k modulo their number. Every thread finds its slots by itself, at every rate and whenever it hears of it, so the
 * arrivals of all threads together lie at even distances.
 *
 * Upstream has no counterpart; its rate mode sends each second's share at once.
 */

const NSEC_PER_SEC: f64 = 1e9;

/** When the thread's own slot of this number is due. */
export function due_nsec(startNsec: f64, index: u32, threads: u32, ratePerSec: f64, slot: f64): f64 {
  return startNsec + ((<f64>index + slot * <f64>threads) * NSEC_PER_SEC) / ratePerSec;
}

/** The first of the thread's own slots that is due at a moment or after it. */
export function first_slot_at(startNsec: f64, index: u32, threads: u32, ratePerSec: f64, nsec: f64): f64 {
  const slots = ((nsec - startNsec) * ratePerSec) / NSEC_PER_SEC;
  let slot = max<f64>(0, ceil((slots - <f64>index) / <f64>threads));
  // Both formulas round: the one that says when a slot is due decides.
  while (slot > 0 && due_nsec(startNsec, index, threads, ratePerSec, slot - 1) >= nsec) slot -= 1;
  while (due_nsec(startNsec, index, threads, ratePerSec, slot) < nsec) slot += 1;
  return slot;
}

/** The first of the thread's own slots that is due after a moment; 0 before the start. */
export function first_slot_after(startNsec: f64, index: u32, threads: u32, ratePerSec: f64, nsec: f64): f64 {
  const slots = ((nsec - startNsec) * ratePerSec) / NSEC_PER_SEC;
  return max<f64>(0, floor((slots - <f64>index) / <f64>threads) + 1);
}
