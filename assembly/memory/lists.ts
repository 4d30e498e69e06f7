/**
 * The list of workers to wake (many put, one takes all) and a worker's queue of requests (one puts, one takes all).
 *
 * Upstream counterpart: xlist_add, xlist_splice, request_add, request_splice. Upstream's request list is allocated per
 * request; here it is a ring of intended arrivals, so that nothing is allocated on the measured path.
 */
import { QUEUE_SLOTS, ThreadData } from "./layout";

/** Prepends a worker to a message thread's list. */
export function xlist_add(head: ThreadData, add: ThreadData): void {
  const slot = changetype<usize>(head) + offsetof<ThreadData>("next");
  let old = atomic.load<usize>(slot);
  while (true) {
    add.next = old;
    const seen = atomic.cmpxchg<usize>(slot, old, changetype<usize>(add));
    if (seen == old) return;
    old = seen;
  }
}

/** Takes the whole list; 0 when it is empty. */
export function xlist_splice(head: ThreadData): usize {
  return atomic.xchg<usize>(changetype<usize>(head) + offsetof<ThreadData>("next"), 0);
}

/** Number of requests that a worker has not yet taken. */
export function pending(worker: ThreadData): u32 {
  return worker.queued - atomic.load<u32>(changetype<usize>(worker) + offsetof<ThreadData>("taken"));
}

/** Puts a request into a worker's queue; the caller has seen that there is room. */
export function request_add(worker: ThreadData, intendedNsec: f64): void {
  store<f64>(worker.queue + ((worker.queued % QUEUE_SLOTS) << 3), intendedNsec);
  atomic.store<u32>(changetype<usize>(worker) + offsetof<ThreadData>("queued"), worker.queued + 1);
}

/** Takes the whole queue, oldest first: returns the end of the batch that starts at what `taken` was before. */
export function request_splice(worker: ThreadData): u32 {
  const end = atomic.load<u32>(changetype<usize>(worker) + offsetof<ThreadData>("queued"));
  atomic.store<u32>(changetype<usize>(worker) + offsetof<ThreadData>("taken"), end);
  return end;
}

/** Intended arrival of a request, by its number. */
export function request_at(worker: ThreadData, number: u32): f64 {
  return load<f64>(worker.queue + ((number % QUEUE_SLOTS) << 3));
}
