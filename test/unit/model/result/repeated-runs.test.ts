import assert from "node:assert/strict";
import { test } from "node:test";
import { runRegister } from "../../../../src/model/result/repeated-runs.js";
import { fakeResult } from "../../../helpers/fakes/fake-result.js";

const run = (startedAt: string | null, requestUsec = [100]) => fakeResult({ requestUsec }, { startedAt });
const NOON = "2026-12-01T12:00:00.000Z";

void test("a run is known again by what it holds, not by its file, and under the name it had first", () => {
  const register = runRegister();
  assert.equal(register.metAs(run(NOON), "a"), null);
  const copy = { ...run(NOON), source: { kind: "parsed", era: "test", file: "copy", line: 7 } } as const;
  assert.equal(register.metAs(copy, "b"), "a");
  assert.equal(register.metAs(copy, "c"), "a");
});

void test("runs that began at the same moment on two machines are two", () => {
  const register = runRegister();
  for (const requestUsec of [[100], [101], [102]]) assert.equal(register.metAs(run(NOON, requestUsec), "a"), null);
  for (const requestUsec of [[100], [101], [102]]) assert.equal(register.metAs(run(NOON, requestUsec), "b"), "a");
});

void test("two hundred machines may begin at one moment, and a copy of one's run is found all the same", () => {
  const register = runRegister();
  const noon = run(NOON);
  const of = (machine: number) => ({ ...noon, averageRps: machine });
  for (let machine = 0; machine < 200; machine++) assert.equal(register.metAs(of(machine), `m${machine}`), null);
  for (let machine = 0; machine < 200; machine++) assert.equal(register.metAs(of(machine), "copy"), `m${machine}`);
});

void test("runs that do not say when they began may be alike by chance", () => {
  const register = runRegister();
  assert.equal(register.metAs(run(null), "a"), null);
  assert.equal(register.metAs(run(null), "a"), null);
});
