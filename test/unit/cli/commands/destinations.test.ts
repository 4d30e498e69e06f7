/** Where results go is looked at before anything is read. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { compareCommand } from "../../../../src/cli/commands/compare-command.js";
import { mergeCommand } from "../../../../src/cli/commands/merge-command.js";
import { reportCommand } from "../../../../src/cli/commands/report-command.js";
import { openDestinations } from "../../../../src/cli/output/write-report.js";
import { capturedIo } from "../../../helpers/fakes/captured-io.js";

const folder = mkdtempSync(join(tmpdir(), "schbench-destinations-"));
after(() => rmSync(folder, { recursive: true }));
const missing = join(folder, "no", "such");

for (const [command, option] of [
  [compareCommand, "--html"],
  [reportCommand, "-o"],
  [mergeCommand, "-o"],
] as const)
  void test(`${command.name} complains of a file that cannot be written before it reads or prints anything`, async () => {
    const { io, printed } = capturedIo("");
    await assert.rejects(command.run([join(folder, "not-there.json"), option, missing], io), {
      message: `cannot write to "${missing}": there is no such folder`,
    });
    assert.equal(printed().stdout, "");
  });

void test("what is opened early stays as it is until it is written, and nothing is left where it never is", async () => {
  const [old, fresh] = [join(folder, "old.html"), join(folder, "fresh.html")];
  writeFileSync(old, "yesterday's");
  const { writeText } = openDestinations(
    [
      ["--html", old],
      ["--output", fresh],
      ["--json", null],
    ],
    [],
  );
  assert.deepEqual([readFileSync(old, "utf8"), existsSync(fresh)], ["yesterday's", false]);
  await writeText(old, "today's");
  assert.deepEqual([readFileSync(old, "utf8"), existsSync(fresh)], ["today's", false]);
});

void test("two outputs in one file, an output over an input and a page among the findings are refused", () => {
  const path = join(folder, "a");
  assert.throws(
    () =>
      openDestinations(
        [
          ["--html", path],
          ["--output", path],
        ],
        [],
      ),
    /cannot write both --html and/,
  );
  assert.throws(() => openDestinations([["--html", path]], [path]), /it is one of the files that are read/);
  assert.throws(() => openDestinations([["--html", "-"]], []), /standard output is for the findings/);
});
