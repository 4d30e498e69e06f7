import assert from "node:assert/strict";
import { test } from "node:test";
import { cannotPin } from "../../../../src/engine/host/cannot-pin.js";
import { readCpusHere } from "../../../../src/platform/limits/cpu-reach.js";
import { filesOf } from "../../platform/machines.js";

const CPU = "/sys/devices/system/cpu";
/** Planned when all four were there; CPU 3 went offline since. */
const NOW = readCpusHere(filesOf({ [`${CPU}/online`]: "0-2\n", [`${CPU}/present`]: "0-3\n" }));
const EINVAL = 22;

test("CPUs that were taken away after the plan was made are named with the way to bring them back", () => {
  for (const asked of [
    { messageCpus: [[0], [3]], workerCpus: [1] },
    { messageCpus: null, workerCpus: [1, 3] },
    { messageCpus: null, workerCpus: null, loadCpus: [3] },
  ]) {
    const { message, remedy } = cannotPin(asked, NOW, EINVAL);
    assert.match(message, /^cannot pin threads to CPUs "[0-3,-]+": CPU 3 is offline$/);
    assert.equal(remedy, `Bring it online, as root: echo 1 > ${CPU}/cpu3/online.`);
  }
});

test("where nothing can be seen that speaks against them, the kernel's number and where to look are said", () => {
  const { message, remedy } = cannotPin({ messageCpus: null, workerCpus: [0, 1] }, NOW, EINVAL);
  assert.equal(message, 'cannot pin threads to CPUs "0-1": the kernel refused them (sched_setaffinity, errno 22)');
  assert.match(remedy ?? "", /cpu\/online/);
});
