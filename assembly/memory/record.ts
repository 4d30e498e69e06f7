/**
 * Recording samples so that a reader never sees half of one.
 *
 * The owner makes `sequence` odd, changes its statistics, and makes it even again; the reader (src/engine/memory/snapshot.ts)
 * copies and tries again when the number was odd or has changed. Nothing is ever zeroed by another thread: when the main
 * thread opens a new window (end of warm-up, restart, phase, end), each worker closes its own at its next sample, by
 * keeping a copy of where its statistics stood. So buckets, count, minimum and maximum always belong together, and every
 * sample belongs to exactly one window.
 *
 * Upstream counterpart: add_lat, reset_thread_stats (which zeroes what others are writing).
 */
import { Control, NO_MINIMUM, Stats, STATS_BYTES, STATS_KINDS, ThreadData } from "./layout";
import { plat_val_to_idx } from "./plat";

/** Makes the own histograms ready: their owner is the first to touch them. */
export function begin_stats(td: ThreadData): void {
  for (let kind: u32 = 0; kind < STATS_KINDS; kind++) {
    const stats = stats_of(td, kind);
    if (changetype<usize>(stats) != 0) stats.min = NO_MINIMUM;
  }
}

/** The own histogram of a kind, by its number; 0: it has none. */
function stats_of(td: ThreadData, kind: u32): Stats {
  return load<Stats>(changetype<usize>(td) + offsetof<ThreadData>("wakeupStats") + kind * <u32>sizeof<usize>());
}

/** Counts one value into a histogram. */
export function add_lat(stats: Stats, usec: u32): void {
  if (usec > stats.max) stats.max = usec;
  if (usec < stats.min) stats.min = usec;
  const bucket = changetype<usize>(stats) + offsetof<Stats>("plat") + (plat_val_to_idx(usec) << 2);
  store<u32>(bucket, load<u32>(bucket) + 1);
}

/** Opens a change of the own statistics. */
export function record_begin(td: ThreadData): void {
  atomic.add<u32>(changetype<usize>(td) + offsetof<ThreadData>("sequence"), 1);
  const window = atomic.load<u32>(changetype<usize>(td.control) + offsetof<Control>("window"));
  if (window > td.window) close_window(td, window);
}

/**
 * Begins the measured time with the first request that is due in it, on a message thread. The main thread ends the warm-up
 * a little later, and finds that window closed.
 */
export function end_warmup(td: ThreadData): void {
  if (td.window == 0 && td.control.measureNsec > td.control.startNsec) close_window(td, 1);
}

/** Makes the change visible. */
export function record_end(td: ThreadData): void {
  atomic.store<u32>(changetype<usize>(td) + offsetof<ThreadData>("sequence"), td.sequence + 1);
}

/** Whole microseconds between two stamps, each cut to its microsecond as a timeval is; never negative. */
export function tvdelta(start: f64, stop: f64): u32 {
  const usec = <i64>stop / 1000 - <i64>start / 1000;
  return <u32>min<i64>(max<i64>(usec, 0), 0xffffffff);
}

function close_window(td: ThreadData, window: u32): void {
  if (td.closedStats != 0) {
    for (let kind: u32 = 0; kind < STATS_KINDS; kind++) keep(td.closedStats + kind * STATS_BYTES, stats_of(td, kind));
    td.closedLoopCount = td.loopCount;
    td.closedSent = td.sent;
    td.closedDropped = td.dropped;
    td.closedUnsent = td.unsent;
    td.closedWindow = td.window;
  }
  td.window = window;
}

function keep(copy: usize, stats: Stats): void {
  if (changetype<usize>(stats) == 0) return;
  memory.copy(copy, changetype<usize>(stats), STATS_BYTES);
  stats.min = NO_MINIMUM;
  stats.max = 0;
}
