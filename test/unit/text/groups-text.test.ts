/** The tables of worker groups after the report of a run. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOutput } from "../../../src/parse/parse-output.js";
import { groupsReport } from "../../../src/text/groups-text.js";
import { finalReport } from "../../../src/text/schbench-text.js";
import { fakeResult } from "../../helpers/fakes/fake-result.js";
import { fullRateResult } from "../../helpers/fakes/full-result.js";

void test("every group is named with what it asked for, and has a row in each table of latencies", () => {
  assert.equal(
    groupsReport(fullRateResult()),
    `worker groups
  short  1 thread, batch,slice=500,uclamp=0-512, average rps 35.00
  rest   1 thread, average rps 15.00
wakeup latencies by group (usec)
         p50  p90   p99  p99.9   max  samples
  short   37  723   729    729   729       70
  rest   745  757  5000   5000  5000       31
request latencies by group (usec)
         p50  p90  p99  p99.9  max  samples
  short   37  723  729    729  729       70
  rest   745  757  759    759  759       30
response latencies by group (usec)
         p50  p90  p99  p99.9  max  samples
  short   37  723  729    729  729       70
  rest   745  757  759    759  759       30
`,
  );
});

void test("a run without groups has no such tables, and a group without samples says so", () => {
  assert.equal(groupsReport(fakeResult()), "");
  const [first] = fullRateResult().groups;
  assert.ok(first !== undefined);
  const empty = { ...first, loops: 0, averageRps: null, wakeup: null, request: null, response: null };
  assert.equal(
    groupsReport(fakeResult({}, { groups: [first, { ...empty, name: "rest", sched: null }] })).split("\n")[6],
    "  rest     -    -    -      -    -        0",
  );
});

void test("who reads the text of a run takes the tables of its groups for nothing of schbench's", () => {
  const result = fakeResult({}, { groups: fullRateResult().groups });
  const plain = parseOutput(finalReport(result), { file: "f" });
  const withGroups = parseOutput(finalReport(result) + groupsReport(result), { file: "f" });
  assert.deepEqual(withGroups, plain);
});
