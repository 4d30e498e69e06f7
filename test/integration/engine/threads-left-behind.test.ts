/** Ends of the process while benchmark threads sleep on: for half an hour, here, in which nothing may wait for them. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { runCommand, startCommand } from "../../helpers/command.js";
import { IDLE_WORK, ratePlan } from "../../helpers/fakes/fake-plan.js";
import { checkResult, resultIn } from "../../helpers/run-invariants.js";

const source = (name: string): string => new URL(`../../../src/${name}.js`, import.meta.url).href;
const SLEEPING = ["-m", "1", "-t", "2", "-n", "0", "-s", "2000000000"];

for (const engine of ["native", "v8"] as const) {
  test(`${engine}: a run ends with its report and code 0 though its threads do not stop`, async () => {
    const { code, stdout, stderr } = await runCommand(["--engine", engine, ...SLEEPING, "-r", "1", "-j", "-"]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /some threads did not stop within 5 s/u);
    assert.equal(checkResult(resultIn(stdout)).loops, 0);
  });

  test(`${engine}: a second signal ends the command at once`, async () => {
    const command = startCommand(["--engine", engine, ...SLEEPING, "-r", "60", "-i", "1"]);
    await command.says("current rps");
    command.kill("SIGTERM");
    // Two signals within half a second are one wish.
    setTimeout(() => command.kill("SIGINT"), 1500);
    const { code, signal, stderr } = await command.finished;
    assert.deepEqual([code, signal], [130, null]);
    assert.doesNotMatch(stderr, /average rps/u);
  });

  test(`${engine}: a run that fails on its way takes its threads with it`, () => {
    const script = `
      import { runEngine } from "${source("engine/run")}";
      import { hostFiles } from "${source("platform/files")}";
      const plan = ${JSON.stringify(ratePlan({ runtimeSec: 60, work: IDLE_WORK, requestsPerSec: 1, engine }))};
      const onSecond = () => { throw new Error("a listener fails"); };
      await runEngine({ plan, files: hostFiles, signal: new AbortController().signal, hooks: { onSecond }, jobname: null,
        commandLine: [], version: "", phases: false }).catch((error) => console.log(error.message));
    `;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      timeout: 60_000,
    });
    assert.deepEqual([status, stdout], [0, "a listener fails\n"], stderr);
  });
}
