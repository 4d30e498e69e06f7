import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { machineLaboratory } from "../../../src/laboratory/machine-laboratory.js";

const folder = mkdtempSync(join(tmpdir(), "origin-"));
after(() => rmSync(folder, { recursive: true }));
const store = join(folder, "e.ndjson");
const [node = "", ...words] = machineLaboratory.engineCommand(null);

const ab = (...more: readonly string[]) =>
  spawnSync(
    node,
    [
      ...words,
      "ab",
      ...["a", "b"].flatMap((name) => ["--subject", name]),
      "--runs",
      "1",
      "--warmup-runs",
      "0",
      "--quiet",
      "-o",
      store,
      ...more,
      "--",
      "-m",
      "1",
      "-t",
      "1",
      "-r",
      "1",
    ],
    { encoding: "utf8" },
  );

void test("an experiment that was begun in another boot is not continued, unless one insists", () => {
  assert.equal(ab().status, 0);
  const lines = readFileSync(store, "utf8").trim().split("\n");
  const begun = lines
    .slice(0, 2)
    .join("\n")
    .replace(/"bootId":"[^"]*"/, '"bootId":"another"');
  writeFileSync(store, `${begun}\n`);
  const refused = ab();
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /its runs were made elsewhere \(another boot\)/);
  assert.equal(readFileSync(store, "utf8"), `${begun}\n`);
  assert.equal(ab("--elsewhere").status, 0);
  assert.equal(readFileSync(store, "utf8").trim().split("\n").length, 3);
});
