/** Counters of perf_event_open: the mechanism with one that needs no hardware. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openThreadCounter } from "../../../../src/platform/threads/thread-counters.js";

const probe = openThreadCounter("cpu-clock", process.pid);
probe?.close();
const skip = probe === null ? "this kernel lets this user open no counter" : false;

void test("a counter of a thread grows with what the thread does, and starts at zero", { skip }, () => {
  const counter = openThreadCounter("cpu-clock", process.pid);
  assert.ok(counter !== null);
  const before = counter.read();
  const spentUsec = process.cpuUsage();
  let turns = 0;
  while (process.cpuUsage(spentUsec).user + process.cpuUsage(spentUsec).system < 20_000) turns++;
  const after = counter.read();
  counter.close();
  assert.ok(before !== null && after !== null && turns > 0);
  const countedNsec = after - before;
  assert.ok(countedNsec > 5e6 && countedNsec < 10e9, `${countedNsec} ns of CPU time for 20 ms`);
});

void test("a thread that does not exist has no counter", () => {
  assert.equal(openThreadCounter("instructions", 2 ** 30), null);
  assert.equal(openThreadCounter("cpu-clock", 2 ** 30), null);
});
