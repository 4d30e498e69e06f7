import assert from "node:assert/strict";
import { test } from "node:test";
import { settingsIn, wantedCells } from "../../../src/cli/experiment/cell-settings.js";

const items = ["t=1 F=64", "t=2 F=64", "t=1 F=256", "t=2 F=256"].map((cell) => ({ cell }));
const wanted = (...words: readonly string[]) => wantedCells(items, words).map(({ cell }) => cell);

void test("the name of a cell says its settings", () => {
  assert.deepEqual(settingsIn("t=4 F=256"), [
    ["t", "4"],
    ["F", "256"],
  ]);
  assert.deepEqual(settingsIn("run"), []);
});

void test("of each option that is named one of its values is wanted; without any, all are", () => {
  assert.deepEqual(
    wanted(),
    items.map(({ cell }) => cell),
  );
  assert.deepEqual(wanted("t=1"), ["t=1 F=64", "t=1 F=256"]);
  assert.deepEqual(wanted("t=1", "F=256"), ["t=1 F=256"]);
  assert.deepEqual(wanted("t=1", "t=2", "F=64"), ["t=1 F=64", "t=2 F=64"]);
});

void test("a setting that is not there is an error that says which are", () => {
  assert.throws(() => wanted("t=8"), /no setting has "t=8": allowed is t=1 F=64, t=2 F=64/);
  assert.throws(() => wanted("nonsense"), /no setting has "nonsense"/);
});
