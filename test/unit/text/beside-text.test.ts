import assert from "node:assert/strict";
import test from "node:test";
import type { LoadResult } from "../../../src/model/plan/load-plan.js";
import { parseOutput } from "../../../src/parse/parse-output.js";
import { besideReport } from "../../../src/text/beside-text.js";
import { finalReport } from "../../../src/text/schbench-text.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";

const spin: LoadResult = {
  load: "spin:4",
  kind: "spin",
  tids: [1, 2, 3, 4],
  work: { unit: "turns", count: 7000, perSec: 700, alonePerSec: 1000 },
  cpuSec: 16.2,
  waitSec: 23.8,
};
const command: LoadResult = {
  load: "/opt/stress-ng --cpu 2 --metrics min=3, max=9",
  kind: "command",
  tids: [7],
  work: null,
  cpuSec: 3,
  waitSec: null,
};

const parse = (text: string) => parseOutput(text, { file: "x" });

test("a report says what each load got done, and what the benchmark took from it", () => {
  const result = fakeResult({}, { loads: [spin, command], workerWaitSec: 2.5 });
  assert.equal(
    besideReport(result),
    "load spin:4: 700 turns a second, alone 1000 (-30.0 %), ran 16.20 s, waited 23.80 s for a CPU\n" +
      "load stress-ng: ran 3.00 s\n" +
      "workers beside it: waited 2.50 s for a CPU\n",
  );
});

test("nothing is said where there was no load, and nothing that is not known", () => {
  assert.equal(besideReport(fakeResult()), "");
  const unknown = { ...spin, work: null, cpuSec: null, waitSec: null };
  assert.equal(besideReport(fakeResult({}, { loads: [unknown] })), "load spin:4: nothing is known of it\n");
});

test("no reader of schbench takes a line about loads for one of a report", () => {
  const result = fakeResult({}, { loads: [spin, command], workerWaitSec: 2.5 });
  const plain = parse(finalReport(result));
  assert.deepEqual(parse(finalReport(result) + besideReport(result)), plain);
  assert.deepEqual(parse(besideReport(result) + finalReport(result)).length, plain.length);
});
