import assert from "node:assert/strict";
import { test } from "node:test";
import { checkOrigin } from "../../../src/experiment/origin.js";
import type { RunOrigin } from "../../../src/model/result/run-origin.js";

const HERE: RunOrigin = { bootId: "b1", kernel: "6.18.1", hostname: "alpha", version: "1.0.0" };

const refusal = (before: readonly (RunOrigin | undefined)[], now: RunOrigin = HERE): string => {
  try {
    checkOrigin("e.ndjson", before, now);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
};

void test("an experiment goes on where it was begun", () => {
  assert.equal(refusal([HERE, HERE]), "");
  assert.equal(refusal([]), "");
});

void test("on another machine, kernel, boot or version it is refused, with what differs", () => {
  assert.match(refusal([{ ...HERE, hostname: "beta" }]), /made elsewhere \(machine "beta", now "alpha"\)/);
  assert.match(refusal([{ ...HERE, kernel: "6.17" }]), /kernel "6\.17", now "6\.18\.1"/);
  assert.match(refusal([{ ...HERE, bootId: "b0" }]), /\(another boot\)/);
  assert.match(refusal([{ ...HERE, version: "0.9.0" }]), /version of schbench-ts "0\.9\.0", now "1\.0\.0"/);
});

void test("what is not known does not differ; the last run that says where it was made counts", () => {
  assert.equal(refusal([{ ...HERE, bootId: null }]), "");
  assert.equal(refusal([undefined, undefined]), "");
  assert.equal(refusal([{ ...HERE, bootId: "b0" }, HERE, undefined]), "");
});
