/** Runs one random command line and holds it to what holds for every run. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { startCommand } from "./command.js";
import { randomLine } from "./random-lines.js";
import { checkResult, resultIn } from "./run-invariants.js";

/** Exit 0, sums that add up, JSON that parses, no process left behind. */
export const checkRandomRun = async (seed: number): Promise<void> => {
  const words = randomLine(seed);
  const what = `seed ${seed}: ${words.join(" ")}`;
  const command = startCommand(words);
  const { code, stdout, stderr } = await command.finished;
  assert.equal(code, 0, `${what}\n${stderr}`);
  const result = checkResult(resultIn(stdout));
  if (result.mode === "closed-loop" || result.rate?.targetBusyPercent === null)
    assert.equal(result.rps?.samples, 1, what);
  assert.ok(!readdirSync("/proc").includes(String(command.pid)), `${what}: the process is gone`);
};
