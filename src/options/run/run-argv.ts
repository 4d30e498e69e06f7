/** From a plan back to the command line that asks for it: to show how to repeat a run, and to start other schbenches. */
import type { CgroupSettings } from "../../model/plan/cgroup-plan.js";
import { formatCgroupSettings } from "../values/cgroup-language.js";
import { formatCpuList } from "../values/cpu-list.js";
import { loadText } from "../values/load-language.js";
import type { RunPlan } from "../../model/plan/run-plan.js";
import { formatSchedAttributes } from "../../model/plan/sched-text.js";
import { formatWorkerGroup } from "../values/worker-group.js";

const workArgv = (plan: RunPlan): readonly string[] => {
  if (plan.mode === "pipe") return ["-p", `${plan.transferBytes}`];
  const { footprintKib, operations, sleepUsec, locking, calibrate, splitPercent } = plan.work;
  return [
    "-F",
    `${footprintKib}`,
    "-n",
    `${operations}`,
    "-s",
    `${sleepUsec}`,
    ...(splitPercent === null ? [] : ["--split", `${splitPercent}`]),
    ...(calibrate ? ["-C"] : locking ? [] : ["-L"]),
  ];
};

const rateArgv = (plan: RunPlan): readonly string[] => {
  if (plan.mode !== "rate") return [];
  const auto = plan.autoBusyPercent === null ? [] : ["-A", `${plan.autoBusyPercent}`];
  return ["-R", `${plan.requestsPerSec}`, ...auto, "--pacing", plan.pacing];
};

/** Message threads that stay on the workers' CPUs got there by inheritance: `-W` alone says so. */
const pinningArgv = ({ messageCpus, workerCpus }: RunPlan): readonly string[] => {
  const workers = workerCpus === null ? [] : ["-W", formatCpuList(workerCpus)];
  const workerList = formatCpuList(workerCpus ?? []);
  const isInherited = messageCpus === null || messageCpus.every((cpus) => formatCpuList(cpus) === workerList);
  return isInherited ? workers : ["-M", formatCpuList(messageCpus.flat()), ...workers];
};

const cgroupArgv = (option: string, settings: CgroupSettings | undefined): readonly string[] =>
  settings === undefined ? [] : [option, formatCgroupSettings(settings)];

const loadArgv = ({ loads, loadCpus, loadCgroup }: RunPlan): readonly string[] => [
  ...(loads ?? []).map((load) => `--load=${loadText(load)}`),
  ...(loadCpus === undefined ? [] : ["--load-cpus", formatCpuList(loadCpus)]),
  ...cgroupArgv("--load-cgroup", loadCgroup),
];

const schedArgv = ({ workerSched, messageSched, workerGroups = [] }: RunPlan): readonly string[] => [
  ...(workerSched === undefined ? [] : ["--worker-sched", formatSchedAttributes(workerSched)]),
  ...(messageSched === undefined ? [] : ["--message-sched", formatSchedAttributes(messageSched)]),
  ...workerGroups.flatMap((group) => ["--worker-group", formatWorkerGroup(group)]),
];

/**
 * The options, in full, with which `schbench-ts` on a machine that has these CPUs decides on this plan. CPU lists are
 * those that `-M` and `-W` can express: message threads take the CPUs of one ascending list in turn.
 */
export const runArgv = (plan: RunPlan): readonly string[] => [
  "-m",
  `${plan.messageThreads}`,
  "-t",
  `${plan.workerThreads}`,
  ...workArgv(plan),
  ...rateArgv(plan),
  "-r",
  `${plan.runtimeSec}`,
  "-w",
  `${plan.warmupSec}`,
  "-i",
  `${plan.intervalSec ?? -1}`,
  ...(plan.zeroSec === null ? [] : ["-z", `${plan.zeroSec}`]),
  ...pinningArgv(plan),
  ...cgroupArgv("--message-cgroup", plan.messageCgroup),
  ...cgroupArgv("--worker-cgroup", plan.workerCgroup),
  ...loadArgv(plan),
  ...schedArgv(plan),
  ...(plan.slowWakeups === null ? [] : ["--explain"]),
  ...(plan.slowWakeups?.breakUsec ? ["--break", `${plan.slowWakeups.breakUsec}`] : []),
  ...(plan.engine === "auto" ? [] : ["--engine", plan.engine]),
  ...(plan.birth === undefined ? [] : ["--birth", plan.birth]),
];
