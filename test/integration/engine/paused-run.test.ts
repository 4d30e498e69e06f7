/** A run whose process is stopped in the middle, as by Ctrl-Z. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import test from "node:test";
import { startCommand } from "../../helpers/command.js";
import { checkResult, resultIn } from "../../helpers/run-invariants.js";

/** Wherever in a second it begins, a tick is then late by more than a second. */
const PAUSE_MSEC = 2500;
const RUNTIME_SEC = 6;

for (const engine of ["native", "v8"] as const) {
  test(`${engine}: F-03: a pause of the whole process is one long second, one interval, and a warning with its length`, async () => {
    const words = ["-m", "1", "-t", "2", "-n", "1", "-r", `${RUNTIME_SEC}`, "-i", "1", "-j", "-"];
    const command = startCommand(["--engine", engine, ...words]);
    await command.says("current rps");
    command.kill("SIGSTOP");
    await sleep(PAUSE_MSEC);
    command.kill("SIGCONT");
    const { code, stdout, stderr } = await command.finished;
    assert.equal(code, 0, stderr);

    const { seconds, intervals, rps, warnings } = checkResult(resultIn(stdout));
    assert.ok(seconds.length < RUNTIME_SEC, `${seconds.length} seconds in ${RUNTIME_SEC} s`);
    assert.deepEqual([intervals.length, rps?.samples], [seconds.length, seconds.length]);
    assert.equal(stderr.match(/^current rps: /gmu)?.length, intervals.length, "each was printed when it was due");
    const rates = intervals.map(({ currentRps }) => currentRps);
    assert.equal(new Set(rates).size, rates.length, `no rate is repeated: ${rates.join(" ")}`);

    const paused = warnings.filter((warning) => warning.code === "paused");
    assert.equal(paused.length, 1, "it is said once");
    assert.match(
      paused[0]?.message ?? "",
      /^the run was paused for \d+\.\d to \d+\.\d s: .* the percentiles .* contain/u,
    );
    assert.match(stderr, /^warning: the run was paused for /mu);
  });
}
