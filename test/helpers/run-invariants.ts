/** What holds for every result of the engine, whatever the load of the machine. */
import assert from "node:assert/strict";
import type { RoleFingerprint } from "../../src/model/result/fingerprint.js";
import { type RunResult, runResult, type Distribution } from "../../src/model/result/run-result.js";

/** The result that `-j -` wrote, validated by the schema. */
export const resultIn = (stdout: string): RunResult => {
  const document: unknown = JSON.parse(stdout);
  assert.ok(typeof document === "object" && document !== null && "schbench_ts" in document);
  return runResult.parse(document.schbench_ts);
};

const checkDistribution = (name: string, distribution: Distribution | null): void => {
  if (distribution === null) return;
  const { samples, buckets, min, max, percentiles } = distribution;
  const total = buckets?.reduce((sum, [, count]) => sum + count, 0) ?? 0;
  assert.equal(total, samples, `${name}: buckets add up to the count`);
  assert.ok(total > 0, `${name}: no sample would be null`);
  assert.ok(min !== null && max !== null && min <= max, `${name}: min ≤ max`);
  let last = min;
  for (const { percentile, value } of percentiles) {
    assert.ok(value >= last && value <= max, `${name}: p${percentile} = ${value} lies in [${last}, ${max}]`);
    last = value;
  }
};

/** The fingerprint agrees with what the threads counted since their start. */
const checkFingerprint = ({ fingerprint, threads, loops, plan }: RunResult): void => {
  assert.ok(fingerprint !== null, "every run of the engine has a fingerprint");
  assert.equal(fingerprint.requests, loops);
  const few = threads.length <= 64;
  for (const role of ["message", "worker"] as const) {
    const ofRole = threads.filter((thread) => thread.role === role);
    const figures: RoleFingerprint | null = fingerprint[role];
    assert.equal(figures?.threads ?? 0, ofRole.length);
    const known = few || plan?.warmupSec === 0;
    const perRequest: number | null = figures?.voluntarySwitchesPerRequest ?? null;
    assert.equal(perRequest === null, !known || loops === 0, "counters are read where that does not disturb the run");
    const all = ofRole.reduce((sum, { voluntarySwitches }) => sum + (voluntarySwitches ?? 0), 0);
    assert.ok((perRequest ?? 0) * (loops ?? 0) <= all + 0.5, `${role}: no more switches in the run than ever`);
  }
  const shares = Object.values(fingerprint.besideMessage);
  assert.ok(shares.every((share) => (share === null) === !few && (share ?? 0) >= 0 && (share ?? 0) <= 1));
};

/** Checks a result; returns it for more. */
export const checkResult = (result: RunResult): RunResult => {
  checkDistribution("wakeup", result.wakeup);
  checkDistribution("request", result.request);
  checkDistribution("response", result.response);
  checkDistribution("rps", result.rps);
  const workers = result.threads.filter(({ role }) => role === "worker");
  const messages = result.threads.filter(({ role }) => role === "message");
  assert.equal(messages.length, result.plan?.messageThreads);
  assert.equal(workers.length, messages.length * (result.plan?.workerThreads ?? 0));
  assert.equal(
    workers.reduce((sum, { loops }) => sum + (loops ?? 0), 0),
    result.loops,
    "the workers' loops add up",
  );
  if (result.mode !== "pipe") assert.equal(result.request?.samples ?? 0, result.loops, "a request sample per loop");
  if (result.mode === "rate") {
    assert.equal(result.response?.samples ?? 0, result.loops, "a response sample per loop");
    assert.ok((result.rate?.offered ?? 0) >= (result.rate?.sent ?? 0) + (result.rate?.dropped ?? 0));
    assert.ok((result.loops ?? 0) <= (result.rate?.sent ?? 0) + 300 * workers.length, "no more done than sent");
  }
  checkFingerprint(result);
  return result;
};
