import assert from "node:assert/strict";
import { test } from "node:test";
import { AXES, type Axis, axisNamed, axisNote, cellOfAxis, chooseAxes } from "../../../src/validate/axes.js";
import { parseCommandLine } from "../../../src/options/line/command-line.js";
import { runOptions } from "../../../src/options/run/run-table.js";

/** So many that -M auto fits. */
const CPUS = [0, 1, 2, 3, 4, 5, 6, 7];
const lengths = { rounds: 3, askedRounds: null, runtimeSec: 10, askedRuntimeSec: null };

void test("every axis has a name of its own and flags that our engine takes", () => {
  assert.equal(new Set(AXES.map((axis) => axis.name)).size, AXES.length);
  for (const axis of AXES) {
    const cell = cellOfAxis(axis, lengths, CPUS);
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
  const pacings = AXES.filter((axis) => axis.load === "rate").map(
    (axis) => cellOfAxis(axis, lengths, CPUS).engineFlags[1],
  );
  assert.deepEqual(pacings, ["paced", "burst", "paced", "burst"]);
});

const named = (name: string): Axis => {
  const axis = axisNamed(name);
  assert.ok(axis);
  return axis;
};

const lengthsOf = (name: string, more = {}) => {
  const { runtimeSec, rounds } = cellOfAxis(named(name), { ...lengths, ...more }, CPUS);
  return [runtimeSec, rounds];
};

void test("storms are short and -A runs longer and less often, unless lengths are asked for", () => {
  assert.deepEqual(lengthsOf("default", { rounds: 10, runtimeSec: 2 }), [2, 10]);
  assert.deepEqual(lengthsOf("storm-2x16", { rounds: 10 }), [1, 10]);
  assert.deepEqual(lengthsOf("A50", { rounds: 10 }), [15, 6]);
  assert.deepEqual(lengthsOf("A50", { askedRounds: 2, askedRuntimeSec: 4 }), [4, 2]);
});

void test("a confined axis keeps every subject on the last CPU that it may use, with the same flags", () => {
  const free = cellOfAxis(named("storm-2x16"), lengths, [0, 2, 5]);
  const confined = cellOfAxis(named("storm-2x16-1cpu"), lengths, [0, 2, 5]);
  assert.equal(free.prefix, undefined);
  assert.deepEqual(confined.prefix, ["taskset", "-c", "5"]);
  assert.deepEqual(confined.flags, free.flags);
});

void test("where -M auto finds too few CPUs, as many message threads stay as leave one for the workers, and it is said", () => {
  const axis = named("pinned-4x256");
  const on = (...cpus: readonly number[]) => {
    const cell = cellOfAxis(axis, lengths, cpus);
    return [cell.flags.slice(0, -2).join(" "), axisNote(axis, cell)] as const;
  };
  assert.deepEqual(on(0, 1, 2, 3, 4), ["-L -m 4 -M auto -t 256 -n 0", null]);
  const [onTwo, note] = on(0, 1);
  assert.equal(onTwo, "-L -m 1 -M auto -t 256 -n 0");
  assert.match(note ?? "", /the axis is -L -m 4 -M auto -t 256 -n 0, for which this machine has too few CPUs/);
  assert.equal(on(0, 1, 2)[0], "-L -m 2 -M auto -t 256 -n 0");
  assert.equal(on(3)[0], "-L -m 1 -t 256 -n 0");
});

void test("what a user looks at first comes first", () => {
  assert.deepEqual(
    AXES.slice(0, 4).map((axis) => axis.name),
    ["default", "t1", "n0", "storm-2x16"],
  );
});

const names = (...choice: Parameters<typeof chooseAxes>) => chooseAxes(...choice).map((axis) => axis.name);

void test("axes are chosen by name in the order of the table, quickly or all", () => {
  assert.deepEqual(names(["p4k", "default"], false), ["default", "p4k"]);
  assert.equal(names(null, false).length, AXES.length);
  assert.ok(names(null, true).length < AXES.length / 2);
  assert.throws(() => chooseAxes(["t3"], false), { name: "UsageError", message: /unknown axis "t3".*default, t1/ });
});
