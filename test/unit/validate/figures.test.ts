import assert from "node:assert/strict";
import { test } from "node:test";
import { axisNamed } from "../../../src/validate/axes.js";
import { axisMetrics } from "../../../src/validate/figures.js";

void test("pipe axes are judged by transfers, the others by latencies and rates", () => {
  const pipe = axisNamed("p4k");
  const closed = axisNamed("default");
  assert.ok(pipe && closed);
  assert.deepEqual(axisMetrics(pipe), ["transfer-ops", "transfer-bytes", "wakeup-p99"]);
  assert.deepEqual(axisMetrics(closed), ["wakeup-p99", "request-p50", "request-p99", "rps-p50", "average-rps"]);
});
