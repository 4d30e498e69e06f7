/** What late ticks say about a run, on a clock and a kernel that the test makes up. */
import assert from "node:assert/strict";
import test from "node:test";
import { createTickWatch, type LateTick, lateTickWarnings } from "../../../../src/engine/watch/late-ticks.js";
import type { Files } from "../../../../src/platform/files.js";
import { NSEC_PER_SEC } from "../../../../src/units.js";

const LATE: LateTick = { lateSec: 1.63, awaySec: 2.61, waitedSec: 0.01 };

const messages = (late: readonly LateTick[]): readonly string[] => lateTickWarnings(late).map(({ message }) => message);

test("a late tick is a pause between what it came late and how long the main thread was away", () => {
  assert.deepEqual(messages([LATE]), [
    "the run was paused for 1.6 to 2.7 s: its process was stopped, and the percentiles and averages contain the pause",
  ]);
  assert.deepEqual(messages([{ ...LATE, waitedSec: null }]), messages([LATE]), "a kernel that does not tell");
  assert.match(messages([LATE, LATE, LATE])[0] ?? "", /^the run was paused 3 times, for 4\.8 to 7\.9 s in all: /u);
  assert.deepEqual(messages([]), []);
});

test("a main thread that was runnable all the time was not stopped", () => {
  const waits = lateTickWarnings([{ ...LATE, waitedSec: 1.6 }]);
  assert.deepEqual(
    waits.map(({ code }) => code),
    ["seconds-joined"],
  );
  assert.match(waits[0]?.message ?? "", /^the main thread had to wait for a CPU for 1\.6 to 2\.7 s: /u);
  assert.deepEqual(
    lateTickWarnings([LATE, { ...LATE, waitedSec: 1.6 }]).map(({ code }) => code),
    ["paused", "seconds-joined"],
  );
});

test("the wait for a CPU is what the kernel counted between two ticks", () => {
  let runDelayNsec = 5e9;
  const files: Files = {
    readText: (path) => (path === `/proc/self/task/${process.pid}/schedstat` ? `1000 ${runDelayNsec} 7\n` : null),
    readGzipText: () => null,
    list: () => [],
    exists: () => false,
  };
  const watch = createTickWatch(files, 100 * NSEC_PER_SEC, 0);
  assert.equal(watch.came(1, 101 * NSEC_PER_SEC), 1);
  runDelayNsec += 1.5e9;
  assert.equal(watch.came(2, 103.75 * NSEC_PER_SEC), 4);
  assert.deepEqual(watch.lateTicks(), [{ lateSec: 1.75, awaySec: 2.75, waitedSec: 1.5 }]);
});
