import assert from "node:assert/strict";
import { test } from "node:test";
import { upstreamArtefacts } from "../../../src/text/upstream-artefacts.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

const codes = (...[run, more]: Parameters<typeof fakeResult>): readonly string[] =>
  upstreamArtefacts(fakeResult(run, more)).map((warning) => warning.code);

void test("a sound result has none", () => {
  assert.deepEqual(codes({ rps: [200, 201, 199], averageRps: 1 }, { runtimeSec: 3 }), []);
});

void test("one RPS sample more than seconds is the sample at the start", () => {
  assert.deepEqual(codes({ rps: [200, 201, 199, 200], averageRps: 1 }, { runtimeSec: 3 }), ["rps-first-sample"]);
});

void test("a stalled second of our own, with a minimum of 0, is none", () => {
  assert.deepEqual(codes({ rps: [0, 201, 199], averageRps: 1 }, { runtimeSec: 3 }), []);
});

void test("wakeups of a second are the stop artefact in rate mode only", () => {
  const wakeupUsec = [5, 6, 954_000];
  assert.ok(codes({ wakeupUsec }, { mode: "rate" }).includes("rate-stop-artefact"));
  assert.ok(!codes({ wakeupUsec }, { mode: "closed-loop" }).includes("rate-stop-artefact"));
});

void test("an rps beyond all requests of the run cannot be", () => {
  assert.ok(codes({ averageRps: 19_900_000 }).includes("implausible-rps"));
});

void test("run times that overflow 32 bits say how long the run really was", () => {
  const [warning] = upstreamArtefacts(fakeResult({}, { runtimeSec: 4297 }));
  assert.equal(warning?.code, "runtime-overflow");
  assert.match(warning?.message ?? "", /ran about 3 s/);
  assert.ok(!codes({}, { runtimeSec: 4294 }).includes("runtime-overflow"));
});

void test("tables that hold a part of what the average counts were restarted during the run", () => {
  const requestUsec = Array.from({ length: 200 }, () => 100);
  assert.ok(codes({ requestUsec, averageRps: 200 }, { runtimeSec: 10 }).includes("statistics-restarted"));
  assert.ok(!codes({ requestUsec, averageRps: 20 }, { runtimeSec: 10 }).includes("statistics-restarted"));
});

void test("before 2023 slow wakeups of rate mode include the queueing and are no artefact", () => {
  assert.deepEqual(codes({ wakeupUsec: [5, 954_000] }, { mode: "rate", request: null }), []);
});
