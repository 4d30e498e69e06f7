/** What the threads of a plan ask for, who gets which attributes, and what is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommandLine } from "../../../../src/options/line/command-line.js";
import { resolveRun } from "../../../../src/options/run/run-options.js";
import { runOptions } from "../../../../src/options/run/run-table.js";
import { askedBy, type SchedNeed, schedNeeds, type SchedRules } from "../../../../src/options/run/sched-needs.js";
import { GRANTS_ALL } from "../../../helpers/fakes/grants-all.js";

const planOf = (line: string, rules: SchedRules = GRANTS_ALL) =>
  resolveRun(parseCommandLine(line.split(" "), runOptions).options, {
    allowedCpus: [0, 1],
    refusalOf: () => null,
    ...rules,
  }).plan;

void test("every kind of thread asks for its own", () => {
  const plan = planOf(
    "-m 2 -t 4 -W 0 --message-sched nice=-5 --worker-sched batch --worker-group 1:slice=500 --worker-group b=2:idle",
  );
  assert.deepEqual(schedNeeds(plan), [
    { who: "message threads", threads: 2, sched: { nice: -5 }, cpus: [0] },
    { who: 'workers of group "rest"', threads: 2, sched: { policy: "batch" }, cpus: [0] },
    { who: 'workers of group "g1"', threads: 2, sched: { sliceUsec: 500 }, cpus: [0] },
    { who: 'workers of group "b"', threads: 4, sched: { policy: "idle" }, cpus: [0] },
  ] satisfies readonly SchedNeed[]);
  assert.deepEqual(schedNeeds(planOf("-t 2")), []);
  assert.deepEqual(askedBy(planOf("-t 2 --worker-sched batch"), { role: "worker", group: null }), {
    who: "worker threads",
    sched: { policy: "batch" },
  });
});

void test("groups that take all workers leave none that --worker-sched is for", () => {
  const plan = planOf("-t 2 --worker-sched fifo:1 --worker-group 2:batch");
  assert.deepEqual(
    schedNeeds(plan).map(({ who }) => who),
    ['workers of group "g1"'],
  );
});

void test("what is refused names the threads, what they asked for, the reason and the remedy", () => {
  const refusing: SchedRules = {
    ...GRANTS_ALL,
    schedRefusalOf: ([need]) => (need === undefined ? null : { need, reason: "no", remedy: "Do." }),
  };
  assert.throws(() => planOf("-t 2 --worker-sched nice=-5", refusing), {
    message: 'cannot run worker threads as "nice=-5": no',
    remedy: "Do.",
  });
  planOf("-t 2", refusing);
});

void test("real time that nothing limits is refused with what would hang, unless insisted on", () => {
  const unlimited: SchedRules = { ...GRANTS_ALL, isRealTimeUnlimited: () => true };
  for (const line of ["-t 2 --worker-sched fifo:1", "-t 2 --message-sched rr:1", "-t 2 --worker-group 1:rr:5"]) {
    assert.throws(() => planOf(line, unlimited), {
      message: /this machine does not limit real time .* would keep everything else off their CPUs/,
      remedy: /sched_rt_runtime_us=950000.*--unthrottled/,
    });
    planOf(`${line} --unthrottled`, unlimited);
    planOf(line);
  }
  planOf("-t 2 --worker-sched batch", unlimited);
  planOf("-t 2 --worker-sched deadline:10/1000/1000", unlimited);
});

for (const [line, message, remedy] of [
  [
    "-t 4 --worker-group 3:batch --worker-group 2:idle",
    'the worker groups have 5 workers ("3:batch", "2:idle"), and each message thread has 4',
    "Give each message thread more workers (-t 5), or make the groups smaller.",
  ],
  [
    "-t 4 --worker-group a=1:batch --worker-group a=2:idle",
    'two worker groups are called "a": "a=1:batch" and "a=2:idle"',
    "Give each a name of its own, as in short=4:slice=500.",
  ],
  [
    "-t 4 --worker-group g2=1:batch --worker-group 1:idle",
    'two worker groups are called "g2": "g2=1:batch" and "1:idle"',
    "Give each a name of its own, as in short=4:slice=500.",
  ],
] as const)
  void test(`"${line}" is refused`, () => {
    assert.throws(() => planOf(line), { message, remedy });
  });
