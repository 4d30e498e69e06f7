import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { storeOfUnit, UNIT_NAME, unitText } from "../../../../src/laboratory/reboot/unit.js";

const AWKWARD = {
  command: [
    process.execPath,
    "/opt/schbench ts/bin.cjs",
    "--setup",
    "all=echo \"100 %\" > $HOME/x; printf '\\n'",
    "a\nb\tc",
    "",
  ],
  folder: "/",
  env: { PATH: "/usr/bin:/bin", SCHBENCH_NOTE: '50 % of "$x"' },
};

void test("words with blanks, quotes, backslashes, dollars, per cents and line ends are quoted as systemd reads them", () => {
  const line = unitText("/data/runs.ndjson", AWKWARD)
    .split("\n")
    .find((text) => text.startsWith("ExecStart="));
  assert.equal(
    line,
    String.raw`ExecStart="${process.execPath}" "/opt/schbench ts/bin.cjs" "--setup" "all=echo \"100 %%\" > $$HOME/x; printf '\\n'" "a\nb\tc" ""`,
  );
});

void test("a unit tells the store that it is for, and another file is none of ours", () => {
  assert.equal(storeOfUnit(unitText("/data/my runs.ndjson", AWKWARD)), "/data/my runs.ndjson");
  assert.equal(storeOfUnit("[Unit]\nDescription=x\n"), null);
});

const hasVerify = spawnSync("systemd-analyze", ["--version"]).status === 0;

void test(
  "systemd itself finds no fault in a unit, however awkward its words are",
  { skip: !hasVerify && "needs systemd-analyze" },
  () => {
    const folder = mkdtempSync(join(tmpdir(), "unit-"));
    try {
      const file = join(folder, UNIT_NAME);
      writeFileSync(file, unitText(join(folder, "runs.ndjson"), AWKWARD));
      const { stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
      assert.deepEqual(
        stderr.split("\n").filter((line) => line.includes(UNIT_NAME)),
        [],
      );
      // It does find faults where there are some.
      writeFileSync(file, unitText(join(folder, "runs.ndjson"), AWKWARD).replace("Restart=", "Restrat="));
      assert.match(spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" }).stderr, /Restrat/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
