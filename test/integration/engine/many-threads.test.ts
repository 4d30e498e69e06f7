import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import test from "node:test";
import { runCommand, startCommand } from "../../helpers/command.js";
import { until } from "../../helpers/engines.js";
import { checkResult, resultIn } from "../../helpers/run-invariants.js";

test("1,028 threads run, and every one of them is counted", async () => {
  const flags = ["--engine", "native", "-L", "-m", "4", "-t", "256", "-n", "0", "-s", "0", "-r", "2", "-j", "-"];
  const { code, stdout, stderr } = await runCommand(flags);
  if (/cannot use --engine "native"/u.test(stderr)) return;
  assert.equal(code, 0, stderr);
  const result = checkResult(resultIn(stdout));
  assert.equal(result.threads.length, 1028);
  assert.equal(new Set(result.threads.map(({ tid }) => tid)).size, 1028);
});

for (const engine of ["native", "v8"] as const) {
  test(`${engine}: SIGINT while threads are starting ends the command at once, without a report of nothing`, async () => {
    const command = startCommand([
      "--engine",
      engine,
      "-m",
      "1",
      "-t",
      engine === "native" ? "4000" : "60",
      "-n",
      "0",
      "-r",
      "30",
    ]);
    await until("some threads are there", () => {
      try {
        return readdirSync(`/proc/${command.pid}/task`).length > 20;
      } catch {
        return false;
      }
    });
    command.kill("SIGINT");
    const { code, stderr } = await command.finished;
    assert.equal(code, 130, stderr);
  });
}
