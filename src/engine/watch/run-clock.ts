/**
 * The rhythm of a run: one tick a second from the start on, due at start + k seconds so that no error adds up, and between
 * ticks the main thread sleeps. A signal ends the wait at once.
 *
 * Upstream counterpart: the sleep(1) of sleep_for_runtime.
 */
import { NSEC_PER_SEC } from "../../units.js";

/** Waits for moments on the monotonic clock. */
export interface RunClock {
  readonly nowNsec: () => number;
  /** Resolves at the moment, or as soon as something else has happened (`wake`, or the signal). */
  readonly sleepUntil: (nsec: number) => Promise<void>;
  /** Ends a sleep that is under way. */
  readonly wake: () => void;
}

const nobodySleeps = (): void => undefined;

/** A clock that reads `nowNsec` and sleeps with Node's timers; `signal` ends every sleep. */
export const createRunClock = (nowNsec: () => number, signal: AbortSignal): RunClock => {
  let wake = nobodySleeps;
  signal.addEventListener("abort", () => wake());
  return {
    nowNsec,
    sleepUntil: (nsec) =>
      new Promise((resolve) => {
        const msec = Math.max(0, Math.ceil((nsec - nowNsec()) / 1e6));
        if (signal.aborted || msec === 0) {
          resolve();
          return;
        }
        const timer = setTimeout(() => wake(), msec);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => wake(),
  };
};

/** The moment of tick k (1, 2, …) of a run. */
export const tickNsec = (startNsec: number, tick: number): number => startNsec + tick * NSEC_PER_SEC;
