import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../../../../src/errors.js";
import { parseCommandLine } from "../../../../src/options/line/command-line.js";
import { tableFaults } from "../../../../src/options/line/option-table.js";
import { resolveRun } from "../../../../src/options/run/run-options.js";
import { remedyFor } from "../../../../src/options/values/suggest.js";
import { runOptions } from "../../../../src/options/run/run-table.js";
import { closedLoopPlan } from "../../../helpers/fakes/fake-plan.js";
import { GRANTS_ALL } from "../../../helpers/fakes/grants-all.js";

/** A machine that has CPUs 0-3. */
const refusalOf = (cpu: number) => (cpu <= 3 ? null : { reason: `there is no CPU ${cpu}`, remedy: "Name others." });

const resolved = (argv: readonly string[], allowedCpus: readonly number[] = [0, 1, 2, 3]) =>
  resolveRun(parseCommandLine(argv, runOptions).options, { allowedCpus, refusalOf, ...GRANTS_ALL });
const words = (line: string) => line.split(" ").filter((word) => word !== "");

const defaultPlan = closedLoopPlan({ workerThreads: 4, runtimeSec: 30, intervalSec: 10 });

void test("the run table is free of faults", () => {
  assert.deepEqual(tableFaults(runOptions), []);
});

void test("without options the plan is upstream's default", () => {
  assert.deepEqual(resolved([]), {
    plan: defaultPlan,
    output: {
      jsonFile: null,
      jobname: null,
      htmlFile: null,
      details: false,
      quiet: false,
      explain: false,
      fingerprint: false,
    },
    preamble: ["setting worker threads to 4"],
  });
});

const { work } = defaultPlan;
// Every spelling of every option, and what it changes in the plan.
for (const [line, changes] of [
  ["-m 2", { messageThreads: 2, workerThreads: 2 }],
  ["-m3", { messageThreads: 3, workerThreads: 2 }],
  ["--message-threads 5", { messageThreads: 5, workerThreads: 1 }],
  ["-t 9", { workerThreads: 9 }],
  ["--threads=9", { workerThreads: 9 }],
  ["-r10", { runtimeSec: 10 }],
  ["--runtime 10", { runtimeSec: 10 }],
  ["-r 0", { runtimeSec: 0 }],
  ["-r 4295", { runtimeSec: 4295 }],
  ["-r 5000000000", { runtimeSec: 5_000_000_000 }],
  ["-F 64", { work: { ...work, footprintKib: 64 } }],
  ["--cache-footprint 64", { work: { ...work, footprintKib: 64 } }],
  ["--cache_footprint 64", { work: { ...work, footprintKib: 64 } }],
  ["-F 1m", { work: { ...work, footprintKib: 1024 } }],
  ["-n 0", { work: { ...work, operations: 0 } }],
  ["--operations 7", { work: { ...work, operations: 7 } }],
  ["-s 0", { work: { ...work, sleepUsec: 0 } }],
  ["--sleep-usec 5", { work: { ...work, sleepUsec: 5 } }],
  ["--sleep_usec=5", { work: { ...work, sleepUsec: 5 } }],
  ["-L", { work: { ...work, locking: false } }],
  ["--no-locking", { work: { ...work, locking: false } }],
  ["-C", { work: { ...work, locking: false, calibrate: true } }],
  ["--calibrate", { work: { ...work, locking: false, calibrate: true } }],
  ["-CL", { work: { ...work, locking: false, calibrate: true } }],
  ["--split 30", { work: { ...work, splitPercent: 30 } }],
  ["--split=0", { work: { ...work, splitPercent: 0 } }],
  ["-w 5", { warmupSec: 5 }],
  ["--warmuptime 5", { warmupSec: 5 }],
  ["-i 3", { intervalSec: 3 }],
  ["--intervaltime=3", { intervalSec: 3 }],
  ["-i 0", { intervalSec: 1 }],
  ["-i -1", { intervalSec: null }],
  ["-i-1", { intervalSec: null }],
  ["-i 31", { intervalSec: null }],
  ["-i 30", { intervalSec: 30 }],
  ["-r 0 -i 31", { runtimeSec: 0, intervalSec: 31 }],
  ["-z 7", { zeroSec: 7 }],
  ["--zerotime 7", { zeroSec: 7 }],
  ["-z 0", {}],
  ["-p 0", {}],
  ["-R 0", {}],
  ["--engine v8", { engine: "v8" }],
  ["--explain", { slowWakeups: { perThread: 64, breakUsec: null } }],
  ["--break 3000", { slowWakeups: { perThread: 64, breakUsec: 3000 } }],
] as const)
  void test(`${line} changes ${JSON.stringify(changes)}`, () => {
    assert.deepEqual(resolved(words(line)).plan, { ...defaultPlan, ...changes });
  });

const rate = { mode: "rate", requestsPerSec: 10, pacing: "paced", autoBusyPercent: null } as const;
for (const [line, changes] of [
  ["-R 1000", { requestsPerSec: 1000 }],
  ["--rps 1000 --pacing burst", { requestsPerSec: 1000, pacing: "burst" }],
  ["-A 50", { autoBusyPercent: 50 }],
  ["--auto-rps=50", { autoBusyPercent: 50 }],
  ["-A 50 -R 200", { autoBusyPercent: 50, requestsPerSec: 200 }],
  ["-R 200 -A 50 --pacing=burst", { autoBusyPercent: 50, requestsPerSec: 200, pacing: "burst" }],
] as const)
  void test(`${line} is a run at a rate`, () => {
    assert.deepEqual(resolved(words(line)).plan, { ...defaultPlan, ...rate, ...changes });
  });

const { work: _work, ...withoutWork } = defaultPlan;
for (const [line, transferBytes, preamble] of [
  ["-p 4096", 4096, []],
  ["--pipe 64k", 65536, []],
  ["-p1m", 1048576, []],
  ["-p 1048577", 1048576, ["pipe size too big, using 1048576"]],
] as const)
  void test(`${line} is pipe mode with ${transferBytes} bytes and no interval reports`, () => {
    const run = resolved([...words(line), "-t", "4"]);
    assert.deepEqual(run.plan, { ...withoutWork, mode: "pipe", intervalSec: null, transferBytes });
    assert.deepEqual(run.preamble, preamble);
  });

void test("output choices are kept apart from the plan", () => {
  const argv = words("-j - --jobname a --html r.html --details --quiet --break 5");
  assert.deepEqual(resolved(argv).output, {
    jsonFile: "-",
    jobname: "a",
    htmlFile: "r.html",
    details: true,
    quiet: true,
    explain: true,
    fingerprint: false,
  });
  assert.equal(resolved(["--json", "f", "-J", "x y"]).output.jobname, "x y");
});

void test("a process whose mask is narrow counts only those CPUs, for auto, too", () => {
  const run = resolved(["-M", "auto"], [5, 8, 2000]);
  assert.equal(run.plan.workerThreads, 3);
  assert.deepEqual(run.plan.messageCpus, [[5]]);
  assert.deepEqual(run.plan.workerCpus, [8, 2000]);
});

void test("a CPU outside of the inherited mask can be named", () => {
  const { plan } = resolved(words("-M 3 -W 1-2"), [0]);
  assert.deepEqual([plan.messageCpus, plan.workerCpus, plan.workerThreads], [[[3]], [1, 2], 1]);
});

void test("there is always at least one worker", () => {
  assert.equal(resolved(["-m", "9"], [0]).plan.workerThreads, 1);
  assert.equal(resolved([], []).plan.workerThreads, 1);
});

void test("auto pinning, split and thread count are announced in upstream's words and order", () => {
  assert.deepEqual(resolved(words("-M auto -m 2 --split 30")).preamble, [
    "auto pinning message and worker threads",
    "setting worker threads to 2",
    "split mode: 30% private (76 KB per thread), 70% shared (179 KB total)",
    "matrix sizes: private=56, shared=87",
    "Pinning to message thread index 0 cpu 0",
    "Pinning to message thread index 1 cpu 1",
  ]);
});

void test("split, footprint and operations are accepted and unused in pipe mode", () => {
  assert.equal(resolved(words("-p 4096 --split 30 -F 64 -n 9")).plan.mode, "pipe");
});

// Bad input: nothing runs, and the message has what failed, the value in quotes, and what is allowed.
for (const [argv, message, remedy] of [
  [["-m", "0"], 'invalid value "0" for -m: allowed is a whole number from 1 to 4194304'],
  [["-t", "-1"], 'invalid value "-1" for -t: allowed is a whole number from 1 to 4194304'],
  [["-F", "-1"], 'invalid value "-1" for -F: allowed is KiB from 0 to 4294967295, with k or m if wanted (64k)'],
  [["-p", "-5"], 'invalid value "-5" for -p: allowed is bytes, 0 or more, with k or m if wanted (64k)'],
  [["-s", "x"], 'invalid value "x" for -s: allowed is whole microseconds from 0 to 2147483647'],
  [["-r", "abc"], 'invalid value "abc" for -r: allowed is whole seconds from 0 to 9007199254'],
  [["-p", "64q"], 'invalid value "64q" for -p: allowed is bytes, 0 or more, with k or m if wanted (64k)'],
  [["--split", "101"], 'invalid value "101" for --split: allowed is a percentage from 0 to 100'],
  [["-M", "5000"], 'cannot pin message threads to CPUs "5000": there is no CPU 5000', "Name others."],
  [["-M", ","], 'invalid value "," for -M: allowed is a list of CPUs such as 0-3,8, or auto'],
  [["-W", "3-1"], 'invalid value "3-1" for -W: allowed is ranges that rise, such as 1-3, or auto'],
  [["-W", "3-5"], 'cannot pin worker threads to CPUs "3-5": there is no CPU 4', "Name others."],
  [
    ["--json", "-L"],
    'option --json needs a value, FILE, but "-L" follows, which is an option',
    "A value that starts with a dash is written --json=-L.",
  ],
  [["--runtme", "3"], 'unknown option "--runtme"', "Did you mean --runtime?"],
  [["10"], 'unexpected argument "10": none is allowed here'],
  [["-r"], "option -r needs a value, SEC"],
  [
    ["-p", "4k", "-R", "10"],
    'cannot combine -p "4096" with -R "10": pipe mode has no request rate',
    "Leave out -p for a run at a rate, or -R for pipe mode.",
  ],
  [
    ["-A", "50", "-p", "64"],
    'cannot combine -p "64" with -A "50": pipe mode has no request rate',
    "Leave out -p for a run at a rate, or -A for pipe mode.",
  ],
  [["-A", "0"], 'invalid value "0" for -A: allowed is a percentage from 1 to 100'],
  [
    ["-M", "auto", "-m", "4"],
    'cannot pin with "auto": 4 message threads and the workers need 5 CPUs, the mask of this process has 0-3',
    "Use fewer message threads (-m), or name CPUs with -M and -W.",
  ],
  [
    ["-W", "auto", "-m", "9"],
    'cannot pin with "auto": 9 message threads and the workers need 10 CPUs, the mask of this process has 0-3',
    "Use fewer message threads (-m), or name CPUs with -M and -W.",
  ],
  [
    ["-M", "auto", "-W", "1"],
    'cannot combine -M auto with -W "1": auto decides the CPUs of all threads',
    "Name CPUs with both -M and -W, or give auto alone.",
  ],
  [
    ["-w", "30"],
    'cannot warm up for "30" s in a run of 30 s: nothing would be measured',
    "The warm-up is part of the run: make -w shorter or -r longer.",
  ],
  [["-m", "4000", "-t", "4000"], 'cannot start "16004000" threads (-m 4000, -t 4000): Linux has at most 4194304'],
  [["-j", "-", "--html", "-"], 'cannot write both --json and --html to "-": give one of them a file'],
] as const)
  void test(`${argv.join(" ")} is refused: ${message}`, () => {
    assert.throws(
      () => resolved(argv),
      (error) => {
        assert.ok(error instanceof UsageError);
        assert.deepEqual([error.message, remedyFor(error)], [message, remedy]);
        return true;
      },
    );
  });
