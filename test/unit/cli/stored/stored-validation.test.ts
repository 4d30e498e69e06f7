import assert from "node:assert/strict";
import { test } from "node:test";
import { storedValidation } from "../../../../src/cli/stored/stored-validation.js";
import { capturedIo } from "../../../helpers/fakes/captured-io.js";
import { fakeHeader, fakeRecord, jsonLines } from "../../../helpers/fakes/fake-store.js";
import { fakeResult } from "../../../helpers/fakes/fake-result.js";

const run = (subject: string, round: number, startedAt: string | null) =>
  fakeRecord(subject, "x", round, { result: fakeResult({}, { startedAt }) });

void test("a stored validation judges each run once, and says which it left out", async () => {
  const noon = "2026-12-01T12:00:00.000Z";
  const records = [run("a", 1, noon), run("b", 1, null), run("a", 2, noon), run("b", 2, null)];
  const { io, printed } = capturedIo(jsonLines([fakeHeader({ kind: "validate" }), ...records]));
  const stored = await storedValidation("-", new Set(), io);
  assert.deepEqual(
    stored.records().map(({ slot }) => [slot.subject, slot.round]),
    [
      ["a", 1],
      ["b", 1],
      ["b", 2],
    ],
  );
  assert.equal(printed().stderr, "schbench-ts: warning: 1 run is in - more than once; each is counted once\n");
});
