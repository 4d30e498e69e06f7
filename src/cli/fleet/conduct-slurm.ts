/**
 * `--on slurm`: an array job whose tasks run the whole experiment, each on a node of its own, and keep their runs in a directory that
 * all nodes see. Queueing, requeueing and accounting are Slurm's; here the job is submitted, watched, and submitted again for what
 * is missing.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { counted } from "../../counted.js";
import { EXIT, interruptionCode, UsageError, UserError } from "../../errors.js";
import { readExperiment } from "../../experiment/read-experiment.js";
import { openSlots } from "../../experiment/runner.js";
import { schedule } from "../../experiment/schedule.js";
import { type OwnWords, ownWordsIn } from "../../fleet/own-words.js";
import { isLogOf, jobScript } from "../../fleet/slurm/job-script.js";
import { landedIn } from "../../fleet/slurm/landed.js";
import { cancel, queued, submit } from "../../fleet/slurm/queue.js";
import type { OptionTable } from "../../options/line/option-table.js";
import { type Progress, progressOn } from "../../render/progress.js";
import { experimentName } from "../experiment/conduct-experiment.js";
import type { ExperimentWorld } from "../io/experiment-world.js";
import type { Io } from "../io/command.js";
import { makeFolder, storeOf } from "./fleet-folder.js";
import { type FleetEnd, type FleetLine, type PlanOn, readProgram, refuseWith, wordsFor } from "./fleet-line.js";
import { anyMachine, refuseDefaultThreads } from "./threads-here.js";

/** What `--on` names for it. */
export const SLURM = "slurm";

const LOOK_MSEC = 2000;
/** A job for what is missing is submitted so often at most. */
const MAX_JOBS = 5;
/** Holds the number of the job that is under way. */
const JOB_FILE = "slurm-job";
/** A task that does not see it is not in this directory. */
const TOKEN_FILE = "shared";

/** A node's runs so far. */
interface NodeRuns {
  readonly name: string;
  readonly done: number;
  readonly all: number;
}

const nodesIn = async (folder: string): Promise<readonly NodeRuns[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".ndjson")).toSorted();
  return Promise.all(
    names.map(async (file): Promise<NodeRuns> => {
      const path = join(folder, file);
      const stored = readExperiment(await readFile(path, "utf8"), path);
      const slots = stored === null ? [] : schedule(stored.header);
      const open = openSlots(slots, stored?.records ?? []);
      return { name: file.slice(0, -".ndjson".length), done: slots.length - open.length, all: slots.length };
    }),
  );
};

const isComplete = ({ done, all }: NodeRuns): boolean => all > 0 && done === all;

/** What the logs of a job say went wrong, by log; null where nothing did. */
const logsOf = async (folder: string, job: string): Promise<readonly (OwnWords | null)[]> => {
  const names = (await readdir(folder)).filter((name) => isLogOf(job, name)).toSorted();
  return Promise.all(names.map(async (name) => ownWordsIn(await readFile(join(folder, name), "utf8"))));
};

/** Watches a job until none of its tasks is left; says what changes. */
const watchJob = async (
  job: string,
  folder: string,
  total: number,
  { world, display, quiet, signal }: Watching,
): Promise<void> => {
  const look = landedIn(folder);
  let shown = "";
  for (;;) {
    const tasks = await queued(world, job, new AbortController().signal);
    const landed = [...(await look()).values()].reduce((sum, count) => sum + count, 0);
    const states = new Map<string, number>();
    for (const { state, node, reason } of tasks ?? []) {
      const key = node === null ? `${state.toLowerCase()} (${reason})` : state.toLowerCase();
      states.set(key, (states.get(key) ?? 0) + 1);
    }
    const line = `[${landed}/${total}] ${[...states].map(([state, count]) => `${count} ${state}`).join(", ")}`;
    if (!quiet && line !== shown && states.size > 0) display.say((shown = line));
    if (tasks?.length === 0) return;
    if (signal.aborted) return;
    await sleep(LOOK_MSEC, undefined, { signal }).catch(() => undefined);
  }
};

interface Watching {
  readonly world: ExperimentWorld;
  readonly display: Progress;
  readonly quiet: boolean;
  readonly signal: AbortSignal;
}

/** The job that an earlier command left under way; null: there is none. */
const jobUnderWay = async (folder: string, world: ExperimentWorld, signal: AbortSignal): Promise<string | null> => {
  const job = (await readFile(join(folder, JOB_FILE), "utf8").catch(() => "")).trim();
  if (job === "") return null;
  const tasks = await queued(world, job, signal);
  return tasks === null || tasks.length > 0 ? job : null;
};

const TEARDOWN_MSEC = 60_000;

const waitUntilGone = async (job: string, world: ExperimentWorld): Promise<void> => {
  const { signal } = new AbortController();
  for (let waited = 0; waited < TEARDOWN_MSEC; waited += LOOK_MSEC / 4) {
    if ((await queued(world, job, signal))?.length === 0) return;
    await sleep(LOOK_MSEC / 4);
  }
};

const missingText = (nodes: readonly NodeRuns[], wanted: number, folder: string): string => {
  const complete = nodes.filter(isComplete).length;
  const short = nodes
    .filter((node) => !isComplete(node))
    .map(({ name, done, all }) => `${name} has ${done} of ${all} runs`);
  return `warning: ${[`${complete} of ${wanted} nodes have all their runs`, ...short].join(", ")}; the same command with -o ${folder} makes the missing ones`;
};

/**
 * Runs an experiment on nodes that Slurm chooses.
 *
 * @param table the options of the command
 * @param planOn the experiment, its flags checked for a machine
 * @throws UserError before anything is run
 */
export const conductSlurm = async (
  line: FleetLine,
  table: OptionTable,
  planOn: PlanOn,
  world: ExperimentWorld,
  io: Io,
): Promise<FleetEnd> => {
  refuseWith(line);
  const { options } = line;
  const { nodes: wanted, partition, account, sbatch, quiet } = options;
  if (options.on.length > 1 || wanted === null)
    throw new UsageError(
      wanted === null ? "--on slurm needs --nodes: on how many?" : "cannot combine --on slurm with another --on",
      "For example: schbench-ts ab --on slurm --nodes 20 --partition bench -o fleet --subject a --subject b -- -m 2 -t 16",
    );
  const program = readProgram(options.onCommand);
  refuseDefaultThreads(planOn);
  const signal = io.interrupted;
  const display = progressOn(io.stderr, quiet, world.nowMsec);
  const named =
    options.store ?? experimentName({ kind: line.command, startedAt: new Date(world.nowMsec()).toISOString() });
  const folder = resolve(named);
  const words = wordsFor(line, table, options.seed);
  await makeFolder(folder);
  await writeFile(join(folder, TOKEN_FILE), "");
  const submitFor = async (missing: number, exclude: readonly string[]): Promise<string> => {
    const job = { folder, token: TOKEN_FILE, nodes: missing, exclude, partition, account, sbatch, program, words };
    const script = join(folder, "slurm-job.sh");
    await writeFile(script, jobScript(job));
    const id = await submit(world, script, signal);
    await writeFile(join(folder, JOB_FILE), `${id}\n`);
    if (!quiet) display.say(`job ${id}: ${counted(missing, "task")}; runs are kept in ${named}`);
    return id;
  };
  const end = async (exitCode: FleetEnd["exitCode"]): Promise<FleetEnd> => {
    const found = await nodesIn(folder);
    if (found.filter(isComplete).length < wanted) display.say(missingText(found, wanted, named));
    const stores = found.filter(({ done }) => done > 0).map(({ name }) => ({ name, path: storeOf(named, name) }));
    return { stores, exitCode, isInterrupted: signal.aborted };
  };

  let job = await jobUnderWay(folder, world, signal);
  for (let jobs = 0; ; jobs++) {
    const before = await nodesIn(folder);
    const complete = before.filter(isComplete).map(({ name }) => name);
    if (complete.length >= wanted) return end(null);
    if (job === null && jobs >= MAX_JOBS) return end(EXIT.failure);
    job ??= await submitFor(wanted - complete.length, complete);
    const runs = schedule(planOn(anyMachine(1))).length * wanted;
    await watchJob(job, folder, runs, { world, display, quiet, signal });
    if (signal.aborted) {
      if (interruptionCode(signal) === EXIT.hungUp) {
        display.say(`job ${job} goes on; the same command with -o ${named} waits for it again`);
        return end(EXIT.hungUp);
      }
      display.say(`interrupted: cancelling job ${job}; interrupt again to leave at once`);
      await cancel(world, job);
      await waitUntilGone(job, world);
      return end(interruptionCode(signal));
    }
    const logs = await logsOf(folder, job);
    if (logs.length === 0)
      throw new UserError(
        `job ${job} is over and no node has written to "${folder}": the directory is not shared with the nodes, or no task could start`,
        `Name a directory with -o that every node sees under the same path; sacct -j ${job} says how the tasks ended.`,
      );
    const faults = logs.filter((log) => log !== null);
    for (const { message, remedy } of faults) {
      display.say(`schbench-ts: ${message}`);
      if (remedy !== undefined) display.say(remedy);
    }
    if (faults.length > 0) return end(EXIT.failure);
    job = null;
  }
};
