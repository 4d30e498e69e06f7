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

/** The first of the thread's own slots that is due after a moment; 0 before the start. */
export function first_slot_after(startNsec: f64, index: u32, threads: u32, ratePerSec: f64, nsec: f64): f64 {
  const slots = ((nsec - startNsec) * ratePerSec) / NSEC_PER_SEC;
  return max<f64>(0, floor((slots - <f64>index) / <f64>threads) + 1);
}
