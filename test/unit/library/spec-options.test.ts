import assert from "node:assert/strict";
import test from "node:test";
import { assert as checkAll, constantFrom, double, integer, oneof, property } from "fast-check";
import { UsageError } from "../../../src/errors.js";
import { commandLineOf, planOf, planOfSettings } from "../../../src/library/plan-of.js";
import { flagsOf, optionsOf } from "../../../src/library/spec-options.js";
import { parseCommandLine } from "../../../src/options/line/command-line.js";
import { maxOf } from "../../../src/options/line/option-value.js";
import { resolveRun } from "../../../src/options/run/run-options.js";
import { runOptions } from "../../../src/options/run/run-table.js";
import { GRANTS_ALL } from "../../helpers/fakes/grants-all.js";

const usageError = (message: RegExp, remedy?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof UsageError);
  assert.match(error.message, message);
  if (remedy !== undefined) assert.match(error.remedy ?? "", remedy);
  return true;
};

test("a spec that says nothing has the defaults of the command line", () => {
  assert.deepEqual(optionsOf({ kind: "schbench" }), parseCommandLine([], runOptions).options);
});

test("what decides the mode is what decides it on the command line", () => {
  const base = { kind: "schbench", messageThreads: 1, workerThreads: 2, runtimeSec: 5 } as const;
  assert.equal(planOf(base).mode, "closed-loop");
  const rate = planOf({ ...base, requestsPerSec: 1000, pacing: "burst" });
  assert.ok(rate.mode === "rate" && rate.requestsPerSec === 1000 && rate.pacing === "burst");
  const auto = planOf({ ...base, autoBusyPercent: 50 });
  assert.ok(auto.mode === "rate" && auto.requestsPerSec === 10 && auto.autoBusyPercent === 50);
  const pipe = planOf({ ...base, transferBytes: 4096 });
  assert.ok(pipe.mode === "pipe" && pipe.transferBytes === 4096);
});

test("every setting arrives in the plan as the command line's flag would bring it there", () => {
  const spec = {
    messageThreads: 2,
    workerThreads: 3,
    messageCpus: [0],
    workerCpus: "0",
    footprintKib: 64,
    operations: 7,
    sleepUsec: 0,
    splitPercent: 30,
    noLocking: true,
    calibrate: true,
    requestsPerSec: 5,
    pacing: "burst",
    autoBusyPercent: 9,
    runtimeSec: 40,
    warmupSec: 2,
    intervalSec: -1,
    zeroSec: 4,
    jobname: "a job",
    engine: "v8",
  } as const;
  const argv =
    "-m 2 -t 3 -M 0 -W 0 -F 64 -n 7 -s 0 --split 30 -L -C -R 5 --pacing burst -A 9 -r 40 -w 2 -i -1 -z 4".split(" ");
  assert.deepEqual(optionsOf(spec), parseCommandLine([...argv, "-J", "a job", "--engine", "v8"], runOptions).options);
});

test("the command line of a plan makes the same plan", () => {
  const plan = planOf({ kind: "schbench", requestsPerSec: 70, warmupSec: 1, runtimeSec: 9, noLocking: true });
  const [program, ...argv] = commandLineOf(plan);
  assert.equal(program, "schbench-ts");
  assert.deepEqual(
    resolveRun(parseCommandLine(argv, runOptions).options, { allowedCpus: [0], refusalOf: () => null, ...GRANTS_ALL })
      .plan,
    plan,
  );
});

test("a number out of range is refused with the property, the value and the range of the table", () => {
  for (const option of runOptions) {
    if (!("min" in option) || option.id === "breakUsec") continue;
    const name = option.id === "pipeBytes" ? "transferBytes" : option.id;
    checkAll(
      property(oneof(integer(), double(), constantFrom(option.min, maxOf(option))), (value) => {
        const isAllowed = Number.isInteger(value) && value >= option.min && value <= maxOf(option);
        if (isAllowed) optionsOf({ [name]: value });
        else
          assert.throws(
            () => optionsOf({ [name]: value }),
            (error) => {
              assert.ok(error instanceof UsageError);
              assert.ok(error.message.startsWith(`invalid value "${value}" for ${name}: allowed is `), error.message);
              return true;
            },
          );
      }),
    );
  }
});

const WRONG: readonly (readonly [spec: object, message: RegExp, remedy?: RegExp])[] = [
  [
    { mesageThreads: 1 },
    /^unknown setting "mesageThreads": allowed are messageThreads, /,
    /^Did you mean messageThreads\?$/,
  ],
  [{ pipeBytes: 1 }, /^unknown setting "pipeBytes"/],
  [{ jsonFile: "x" }, /^unknown setting "jsonFile"/],
  [{ noLocking: 1 }, /^invalid value "1" for noLocking: allowed is true or false$/],
  [{ messageThreads: "2" }, /^invalid value "2" for messageThreads: allowed is a number$/],
  [{ messageThreads: null }, /^invalid value "null" for messageThreads: allowed is a whole number from 1/],
  [{ messageThreads: true }, /^invalid value "true" for messageThreads/],
  [{ workerCpus: [3, -1] }, /^invalid value "3,-1" for workerCpus: allowed is a list of CPUs such as 0-3,8, or auto$/],
  [{ workerCpus: [] }, /^invalid value "" for workerCpus/],
  [{ pacing: "smooth" }, /^invalid value "smooth" for pacing: allowed is one of paced, burst$/],
  [{ jobname: "" }, /^invalid value "" for jobname/],
];

for (const [spec, message, remedy] of WRONG)
  test(`${JSON.stringify(spec)} is refused by name`, () => {
    assert.throws(() => optionsOf(spec), usageError(message, remedy));
  });

test("a kind or a mode that does not fit is refused, for callers without a compiler", () => {
  assert.throws(() => planOfSettings({}), usageError(/^invalid kind "": allowed is "schbench"$/));
  assert.throws(() => planOfSettings({ kind: "schbench", mode: "fast" }), usageError(/^invalid mode "fast"/));
  assert.throws(
    () => planOfSettings({ kind: "schbench", mode: "pipe" }),
    usageError(/^the mode "pipe" does not fit .* "closed-loop"$/, /transferBytes makes it pipe/),
  );
});

test("settings that contradict each other are refused as on the command line", () => {
  const pipeAtRate = { kind: "schbench", transferBytes: 4096, requestsPerSec: 5 };
  assert.throws(() => planOfSettings(pipeAtRate), usageError(/pipe mode has no request rate/));
  assert.throws(
    () => planOf({ kind: "schbench", runtimeSec: 3, warmupSec: 3 }),
    usageError(/nothing would be measured/),
  );
});

test("flags keep what upstream does not know apart", () => {
  assert.deepEqual(
    flagsOf({
      kind: "schbench",
      messageThreads: 2,
      noLocking: true,
      pacing: "burst",
      engine: "v8",
      operations: undefined,
    }),
    {
      flags: ["--message-threads=2", "--no-locking"],
      engineFlags: ["--pacing=burst", "--engine=v8"],
    },
  );
});

void test("scheduling attributes and groups may be written as a plan has them, or as text", () => {
  const typed = {
    kind: "schbench",
    workerThreads: 4,
    workerSched: { policy: "batch", nice: 5 },
    messageSched: { policy: "deadline", runtimeUsec: 100, deadlineUsec: 200, periodUsec: 300 },
    workerGroups: [
      { name: "short", workers: 1, sched: { sliceUsec: 500 } },
      { workers: 2, sched: { policy: "idle" } },
    ],
  } as const;
  const texts = {
    kind: "schbench",
    workerThreads: 4,
    workerSched: "batch,nice=5",
    messageSched: "deadline:100/200/300",
    workerGroups: ["short=1:slice=500", "2:idle"],
  } as const;
  assert.deepEqual(optionsOf(typed), optionsOf(texts));
  assert.deepEqual(flagsOf(typed).engineFlags, [
    "--worker-sched=batch,nice=5",
    "--message-sched=deadline:100/200/300",
    "--worker-group=short=1:slice=500",
    "--worker-group=2:idle",
  ]);
  for (const [name, value] of [
    ["workerSched", { policy: "fifo", priority: 100 }],
    ["workerSched", { policy: "real" }],
    ["workerSched", {}],
    ["workerSched", 5],
    ["workerGroups", [{ workers: 0, sched: { policy: "idle" } }]],
    ["workerGroups", "4"],
  ] as const)
    assert.throws(() => optionsOf({ kind: "schbench", [name]: value }), {
      message: new RegExp(`^invalid value ".*" for ${name}: allowed is `, "s"),
    });
});
