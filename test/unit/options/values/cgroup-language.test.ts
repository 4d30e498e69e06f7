import assert from "node:assert/strict";
import test from "node:test";
import type { CgroupSettings } from "../../../../src/model/plan/cgroup-plan.js";
import {
  cgroupControllers,
  cgroupFiles,
  formatCgroupSettings,
  readCgroupSettings,
} from "../../../../src/options/values/cgroup-language.js";
import { parseCommandLine } from "../../../../src/options/line/command-line.js";
import { runArgv } from "../../../../src/options/run/run-argv.js";
import { resolveRun } from "../../../../src/options/run/run-options.js";
import { GRANTS_ALL } from "../../../helpers/fakes/grants-all.js";
import { runOptions } from "../../../../src/options/run/run-table.js";

const GOOD: readonly (readonly [string, CgroupSettings, string, readonly (readonly [string, string])[]])[] = [
  ["weight=100", { weight: 100 }, "weight=100", [["cpu.weight", "100"]]],
  ["weight=10000", { weight: 10_000 }, "weight=10000", [["cpu.weight", "10000"]]],
  [
    "max=50000/100000",
    { max: { quotaUsec: 50_000, periodUsec: 100_000 } },
    "max=50000/100000",
    [["cpu.max", "50000 100000"]],
  ],
  ["max=50000", { max: { quotaUsec: 50_000, periodUsec: 100_000 } }, "max=50000/100000", [["cpu.max", "50000 100000"]]],
  [
    "uclamp=256-512",
    { uclamp: { min: 256, max: 512 } },
    "uclamp=256-512",
    [
      ["cpu.uclamp.max", "50.00"],
      ["cpu.uclamp.min", "25.00"],
    ],
  ],
  ["idle", { idle: true }, "idle", [["cpu.idle", "1"]]],
  ["cpus=0-1,3", { cpus: [0, 1, 3] }, "cpus=0-1,3", [["cpuset.cpus", "0-1,3"]]],
  [
    "cpus=0,2,weight=5+max=1000/1000",
    { cpus: [0, 2], weight: 5, max: { quotaUsec: 1000, periodUsec: 1000 } },
    "weight=5,max=1000/1000,cpus=0,2",
    [
      ["cpu.weight", "5"],
      ["cpu.max", "1000 1000"],
      ["cpuset.cpus", "0,2"],
    ],
  ],
];

for (const [text, settings, written, files] of GOOD)
  test(`"${text}" is read, written as "${written}" and set by its files`, () => {
    assert.deepEqual(readCgroupSettings(text), { value: settings, problem: null });
    assert.equal(formatCgroupSettings(settings), written);
    assert.deepEqual(readCgroupSettings(written).value, settings);
    assert.deepEqual(cgroupFiles(settings), files);
  });

for (const [text, problem] of [
  ["weight=0", "weight=N, N from 1 to 10000"],
  ["weight=10001", "weight=N, N from 1 to 10000"],
  ["weight", "weight=N, N from 1 to 10000"],
  ["idle,weight=0", 'weight=N, N from 1 to 10000, but not "weight=0"'],
  ["max=999", "max=QUOTA/PERIOD, QUOTA from 1000 to 1000000000 and PERIOD from 1000 to 1000000 usec"],
  ["max=5000/0", "max=QUOTA/PERIOD, QUOTA from 1000 to 1000000000 and PERIOD from 1000 to 1000000 usec"],
  ["uclamp=5-4", "uclamp=MIN-MAX, MIN and MAX from 0 to 1024, MIN not above MAX"],
  ["uclamp=0-1025", "uclamp=MIN-MAX, MIN and MAX from 0 to 1024, MIN not above MAX"],
  ["idle=1", "idle, no value"],
  ["cpus=3-1", "cpus=CPUS, a list of CPUs such as 0-3,8"],
  ["weight=5,weight=6", "weight once"],
  ["idle,weight=5", "idle or weight=N, not both: an idle group has no weight"],
  ["wieght=5", 'weight=N, max=QUOTA/PERIOD, uclamp=MIN-MAX, idle, cpus=CPUS, but not "wieght=5"'],
  ["", 'weight=N, max=QUOTA/PERIOD, uclamp=MIN-MAX, idle, cpus=CPUS, but not ""'],
] as const)
  test(`"${text}" is refused with what is allowed`, () => {
    assert.deepEqual(readCgroupSettings(text), { value: null, problem });
  });

test("a list of CPUs needs another controller than the rest", () => {
  assert.deepEqual(cgroupControllers({ weight: 5 }), ["cpu"]);
  assert.deepEqual(cgroupControllers({ cpus: [0] }), ["cpu", "cpuset"]);
});

const planOf = (argv: readonly string[]) =>
  resolveRun(parseCommandLine(argv, runOptions).options, { allowedCpus: [0], refusalOf: () => null, ...GRANTS_ALL })
    .plan;

test("the command line of a plan with control groups makes the same plan", () => {
  const plan = planOf(
    "-t 1 --worker-cgroup weight=100 --message-cgroup max=50000 --load spin:1 --load-cgroup cpus=0,2,idle".split(" "),
  );
  assert.deepEqual(plan.workerCgroup, { weight: 100 });
  assert.deepEqual(plan.loadCgroup, { cpus: [0, 2], idle: true });
  assert.deepEqual(planOf(runArgv(plan)), plan);
  assert.throws(() => planOf(["--load-cgroup", "idle"]), /cannot place loads \(--load-cgroup "idle"\): there are none/);
});
