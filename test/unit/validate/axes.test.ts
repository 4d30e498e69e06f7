import assert from "node:assert/strict";
import { test } from "node:test";
import { AXES, axisMetrics, axisNamed, cellOfAxis, chooseAxes } from "../../../src/validate/axes.js";
import { parseCommandLine } from "../../../src/options/command-line.js";
import { runOptions } from "../../../src/options/run-table.js";

const lengths = { rounds: 3, askedRounds: null, runtimeSec: 10, askedRuntimeSec: null };

void test("every axis has a name of its own and flags that our engine takes", () => {
  assert.equal(new Set(AXES.map((axis) => axis.name)).size, AXES.length);
  for (const axis of AXES) {
    const cell = cellOfAxis(axis, lengths);
    const { options } = parseCommandLine([...cell.flags, ...cell.engineFlags], runOptions);
    assert.equal(options.runtimeSec, cell.runtimeSec, axis.name);
    assert.equal(options.pipeBytes !== null, axis.load === "pipe", axis.name);
    assert.equal(options.autoBusyPercent !== null, axis.load === "auto-rate", axis.name);
  }
});

void test("the reference never sees a flag that it does not know", () => {
  for (const axis of AXES) assert.ok(!axis.flags.some((flag) => flag.startsWith("--pacing")), axis.name);
});

void test("a rate is measured with both pacings of ours", () => {
  const pacings = AXES.filter((axis) => axis.load === "rate").map((axis) => cellOfAxis(axis, lengths).engineFlags[1]);
  assert.deepEqual(pacings, ["paced", "burst", "paced", "burst"]);
});

void test("pipe runs are repeated more often, and -A runs longer, unless lengths are asked for", () => {
  const pipe = axisNamed("p4k");
  const auto = axisNamed("A50");
  assert.ok(pipe && auto);
  assert.equal(cellOfAxis(pipe, lengths).rounds, 5);
  assert.equal(cellOfAxis(auto, lengths).runtimeSec, 15);
  const asked = { ...lengths, askedRounds: 2, askedRuntimeSec: 4 };
  assert.deepEqual([cellOfAxis(pipe, asked).rounds, cellOfAxis(auto, asked).runtimeSec], [2, 4]);
});

const names = (...choice: Parameters<typeof chooseAxes>) => chooseAxes(...choice).map((axis) => axis.name);

void test("axes are chosen by name in the order of the table, quickly or all", () => {
  assert.deepEqual(names(["p4k", "default"], false), ["default", "p4k"]);
  assert.equal(names(null, false).length, AXES.length);
  assert.ok(names(null, true).length < AXES.length / 2);
  assert.throws(() => chooseAxes(["t3"], false), { name: "UsageError", message: /unknown axis "t3".*default, m2/ });
});

void test("pipe axes are judged by transfers, the others by latencies and rates", () => {
  const pipe = axisNamed("p4k");
  const closed = axisNamed("default");
  assert.ok(pipe && closed);
  assert.deepEqual(axisMetrics(pipe), ["transfer-ops", "transfer-bytes", "wakeup-p99"]);
  assert.deepEqual(axisMetrics(closed), ["wakeup-p99", "request-p50", "request-p99", "rps-p50", "average-rps"]);
});
