/** What programs that read schbench's text take from a run's stderr is what the run's JSON holds, warnings or not. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { parseOutput } from "../../../src/parse/parse-output.js";
import { wholeReport } from "../../../src/text/schbench-text.js";
import { runCommand } from "../../helpers/command.js";
import { CONSUMERS } from "../../helpers/consumers.js";

for (const [what, words] of [
  ["closed loop", ["-m", "1", "-t", "2", "-r", "2", "-i", "1"]],
  ["pipe mode", ["-p", "64", "-m", "1", "-t", "1", "-r", "1"]],
] as const)
  void test(`every program takes from a run in ${what} what its JSON holds`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "consumers-"));
    try {
      const file = join(folder, "run.json");
      const { code, stderr, stdout } = await runCommand([...words, "-j", file]);
      assert.equal(code, 0, stderr);
      const [result] = parseOutput(readFileSync(file, "utf8"), { file });
      assert.ok(result !== undefined);
      const report = wholeReport(result);
      for (const [name, take] of Object.entries(CONSUMERS)) {
        const taken = take(stdout + stderr);
        assert.deepEqual(taken, take(report), name);
        // By interval mmtests leaves the last report out, and pipe mode has only one.
        assert.ok(
          taken.length > 3 || (name === "mmtests, by interval" && what === "pipe mode"),
          `${name}: nothing taken`,
        );
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
