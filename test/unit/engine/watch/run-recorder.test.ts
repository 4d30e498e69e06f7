/** The books of a run, kept over a collector that plays back histograms. */
import assert from "node:assert/strict";
import test from "node:test";
import { phasesOf, workerWaitSec } from "../../../../src/engine/watch/run-log.js";
import { createRecorder, type RunRecorder } from "../../../../src/engine/watch/run-recorder.js";
import type { Collector, WindowStats } from "../../../../src/engine/memory/snapshot.js";
import { histogramOf } from "../../../../src/stats/histogram/plat.js";
import { NSEC_PER_SEC } from "../../../../src/units.js";
import { windowStats } from "../../../helpers/fakes/fake-window.js";

const statsOf = (wakeups: readonly number[]): WindowStats =>
  windowStats({ wakeup: histogramOf(wakeups), loops: wakeups.length, loopsByWorker: [wakeups.length] });

/** Workers whose wakeups the test makes, and whose run delay is 10 µs for each. */
const openBooks = (warmupSec: number, histogramSeconds = 100) => {
  let current: number[] = [];
  let delayUsec = 1000;
  const collector: Collector = {
    loops: () => current.length,
    current: () => statsOf(current),
    closeWindow: () => {
      const closed = statsOf(current);
      current = [];
      return closed;
    },
  };
  const delays = { schedDelay: () => null, workerRunDelayUsec: () => delayUsec, atStartUsec: delayUsec };
  const recorder = createRecorder(collector, delays, 0, warmupSec, histogramSeconds);
  return {
    recorder,
    wake: (...usec: number[]): void => {
      current.push(...usec);
      delayUsec += 10 * usec.length;
    },
    finish: (atSec: number) => recorder.finish(atSec * NSEC_PER_SEC, delayUsec),
  };
};

const tick = (recorder: RunRecorder, atSec: number) =>
  recorder.second(atSec * NSEC_PER_SEC, { rps: 1, goalPerSec: null, busyPercent: null }, true);

test("the workers' wait is that of the measured time, without the warm-up's", () => {
  const { recorder, wake, finish } = openBooks(1);
  wake(1, 2, 3, 4);
  recorder.endWarmup(1 * NSEC_PER_SEC);
  wake(30, 30, 30);
  recorder.restart(2 * NSEC_PER_SEC);
  wake(5, 5);
  assert.equal(workerWaitSec(finish(3).windows), 50e-6);
  assert.equal(workerWaitSec([]), null);
});

test("each phase has its own wakeups, loops and run delay, without what was before the clock started", () => {
  const { recorder, wake, finish } = openBooks(0);
  wake(1, 2);
  recorder.phase(1.5 * NSEC_PER_SEC, "moved");
  wake(30, 30, 30);
  const phases = phasesOf(finish(3).windows);
  assert.deepEqual(
    phases.map(({ name, startSec, endSec, loops, runDelayUsec, wakeup }) => ({
      name,
      startSec,
      endSec,
      loops,
      runDelayUsec,
      buckets: wakeup?.buckets,
    })),
    [
      {
        name: "start",
        startSec: 0,
        endSec: 1.5,
        loops: 2,
        runDelayUsec: 20,
        buckets: [
          [1, 1],
          [2, 1],
        ],
      },
      { name: "moved", startSec: 1.5, endSec: 3, loops: 3, runDelayUsec: 30, buckets: [[30, 3]] },
    ],
  );
});

test("what the warm-up did is in no phase, and a phase begun in it begins with the measured time", () => {
  const { recorder, wake, finish } = openBooks(2);
  wake(500);
  recorder.phase(1 * NSEC_PER_SEC, "first");
  wake(501);
  recorder.endWarmup(2 * NSEC_PER_SEC);
  wake(7);
  recorder.phase(3 * NSEC_PER_SEC, "second");
  wake(8, 8);
  const { windows, measuredSec } = finish(4);
  assert.equal(measuredSec, 2);
  assert.deepEqual(
    phasesOf(windows).map(({ name, startSec, loops, runDelayUsec }) => [name, startSec, loops, runDelayUsec]),
    [
      ["first", 2, 1, 10],
      ["second", 3, 2, 20],
    ],
  );
});

test("a second keeps what came before and after a mark in it", () => {
  const { recorder, wake } = openBooks(0);
  wake(1);
  assert.deepEqual(tick(recorder, 1).wakeup, [[1, 1]]);
  wake(2);
  recorder.phase(1.2 * NSEC_PER_SEC, "a");
  wake(3);
  recorder.restart(1.8 * NSEC_PER_SEC);
  wake(4);
  assert.deepEqual(tick(recorder, 2).wakeup, [
    [2, 1],
    [3, 1],
    [4, 1],
  ]);
  wake(5);
  assert.deepEqual(tick(recorder, 3).wakeup, [[5, 1]]);
});

test("a run that ends during its warm-up has measured nothing", () => {
  const { recorder, wake, finish } = openBooks(2);
  wake(1);
  recorder.phase(0.5 * NSEC_PER_SEC, "first");
  const { windows, measuredSec } = finish(1);
  assert.deepEqual([windows.length, measuredSec], [0, 0]);
});

test("restarts of the interval reports do not pile up, and are no phases", () => {
  const { recorder, wake, finish } = openBooks(0);
  for (let sec = 1; sec <= 100; sec++) {
    wake(sec);
    tick(recorder, sec);
    recorder.restart(sec * NSEC_PER_SEC);
  }
  const { windows } = finish(101);
  assert.deepEqual(
    windows.map(({ stats, startSec, endSec, runDelayUsec }) => [stats.loops, startSec, endSec, runDelayUsec]),
    [[100, 0, 101, 1000]],
  );
  assert.deepEqual(phasesOf(windows), []);
});

test("histograms are kept of the first seconds, the rate of all", () => {
  const { recorder, wake, finish } = openBooks(0, 2);
  for (let sec = 1; sec <= 4; sec++) {
    wake(sec);
    tick(recorder, sec);
  }
  const { seconds, rpsSamples } = finish(4);
  assert.equal(rpsSamples.length, 4);
  assert.deepEqual(
    seconds.map(({ wakeup }) => wakeup),
    [[[1, 1]], [[2, 1]], null, null],
  );
});
