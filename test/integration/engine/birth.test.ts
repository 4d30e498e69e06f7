/** Who brings threads to life, as the kernel saw it, and where that puts them. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { nativeBuilds } from "../../../src/engine/host/native-host.js";
import { at } from "../../../src/at.js";
import type { RunResult, ThreadResult } from "../../../src/model/result/run-result.js";
import { cpuIdsOf } from "../../../src/platform/cpus/cpu-ids.js";
import { fieldOf } from "../../../src/platform/files.js";
import { type BirthEvent, noTracing, traceBirths } from "../../helpers/system/birth-trace.js";
import { runCommand, startCommand } from "../../helpers/command.js";
import { until } from "../../helpers/engines.js";
import { checkResult, resultIn } from "../../helpers/run-invariants.js";

const WORKERS = 3;
const LINE = ["-m", "2", "-t", `${WORKERS}`, "-n", "0", "-s", "100000", "-r", "1", "-j", "-"];
const ownCpus = cpuIdsOf(fieldOf(readFileSync("/proc/self/status", "utf8"), "Cpus_allowed_list"));
const [firstCpu = 0, secondCpu] = ownCpus;
const engines = nativeBuilds().length > 0 ? (["native", "v8"] as const) : (["v8"] as const);
const skipWithoutTwoCpus = secondCpu === undefined ? "needs two CPUs" : noTracing;

const tasksOf = (pid: number): readonly number[] => readdirSync(`/proc/${pid}/task`).map(Number);

/** The CPU on which a thread ran last; -1 when it has gone. */
const cpuOf = (pid: number, tid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${tid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[36]);
  } catch {
    return -1;
  }
};

interface Births {
  readonly result: RunResult;
  readonly events: readonly BirthEvent[];
  readonly messages: readonly ThreadResult[];
  readonly workersOf: (message: ThreadResult) => readonly ThreadResult[];
}

const birthsOf = async (...flags: readonly string[]): Promise<Births> => {
  let stdout = "";
  const events = await traceBirths(async () => {
    const run = await runCommand([...LINE, ...flags]);
    assert.equal(run.code, 0, run.stderr);
    stdout = run.stdout;
  });
  const result = checkResult(resultIn(stdout));
  const byRole = (role: ThreadResult["role"]) =>
    result.threads.filter((thread) => thread.role === role).toSorted((a, b) => a.index - b.index);
  const workers = byRole("worker");
  return {
    result,
    events,
    messages: byRole("message"),
    workersOf: ({ index }) => workers.slice(index * WORKERS, (index + 1) * WORKERS),
  };
};

const tidsOf = (threads: readonly ThreadResult[]): readonly number[] => threads.map(({ tid }) => tid);

/** The events of one kind that one thread caused on some others, in order. */
const causedBy = (events: readonly BirthEvent[], what: BirthEvent["what"], by: number, on: readonly ThreadResult[]) =>
  events.filter((event) => event.what === what && event.by === by && tidsOf(on).includes(event.tid));

const creatorOf = (events: readonly BirthEvent[], { tid }: ThreadResult): number =>
  at(
    events.filter((event) => event.what === "created" && event.tid === tid),
    0,
  ).by;

const orderOfFirst = (events: readonly BirthEvent[]): readonly number[] => [...new Set(events.map(({ tid }) => tid))];

test(
  "native: the main thread creates the message threads, and each of them its own workers, all in the order of their index",
  { skip: noTracing },
  async (t) => {
    const { result, events, messages, workersOf } = await birthsOf();
    if (result.source.kind !== "engine" || result.source.engine !== "native") {
      t.skip("there is no native engine here");
      return;
    }
    const main = creatorOf(events, at(messages, 0));
    assert.deepEqual(
      causedBy(events, "created", main, messages).map(({ tid }) => tid),
      tidsOf(messages),
    );
    for (const message of messages) {
      const workers = workersOf(message);
      assert.deepEqual(
        causedBy(events, "created", message.tid, workers).map(({ tid }) => tid),
        tidsOf(workers),
      );
    }
  },
);

test(
  "F-38, v8: the main thread creates all, and each message thread lets its own workers go in the order of their index",
  { skip: noTracing },
  async () => {
    const { events, messages, workersOf } = await birthsOf("--engine", "v8");
    const main = creatorOf(events, at(messages, 0));
    assert.deepEqual(orderOfFirst(causedBy(events, "woken", main, messages)), tidsOf(messages));
    for (const message of messages) {
      const workers = workersOf(message);
      assert.equal(creatorOf(events, at(workers, 0)), main);
      const first = orderOfFirst(causedBy(events, "woken", message.tid, workers));
      assert.deepEqual(first, tidsOf(workers));
    }
  },
);

for (const engine of engines)
  test(
    `${engine}: a message thread stands on the workers' CPUs while it brings them to life, and on its own afterwards`,
    { skip: skipWithoutTwoCpus },
    async () => {
      const flags = ["--engine", engine, "-M", `${secondCpu}`, "-W", `${firstCpu}`];
      const { events, messages, workersOf } = await birthsOf(...flags);
      for (const message of messages) {
        const workers = workersOf(message);
        const births = causedBy(events, engine === "native" ? "created" : "woken", message.tid, workers);
        assert.deepEqual(
          births.slice(0, WORKERS).map(({ onCpu }) => onCpu),
          workers.map(() => firstCpu),
        );
        const later = causedBy(events, "woken", message.tid, workers).slice(WORKERS);
        assert.ok(later.length > 0, "it wakes them during the run");
        for (const { onCpu } of later) assert.equal(onCpu, secondCpu);
        assert.equal(message.allowedCpus, `${secondCpu}`);
        for (const { allowedCpus } of workers) assert.equal(allowedCpus, `${firstCpu}`);
      }
    },
  );

for (const engine of engines)
  test(`${engine}: --birth crossed has the main thread create and wake all`, { skip: noTracing }, async () => {
    const { result, events, messages, workersOf } = await birthsOf("--engine", engine, "--birth", "crossed");
    const main = creatorOf(events, at(messages, 0));
    const workers = messages.flatMap(workersOf);
    for (const worker of workers) assert.equal(creatorOf(events, worker), main);
    const wokenFirstBy = workers.map(
      (worker) => events.find(({ what, tid }) => what === "woken" && tid === worker.tid)?.by,
    );
    assert.deepEqual(
      wokenFirstBy,
      workers.map(() => main),
    );
    assert.equal(result.plan?.birth, "crossed");
  });

/** Of the workers of a storm, the share that stands on the CPU of its message thread half a second after the start. */
const shareBesideMessageThread = async (engine: string): Promise<number> => {
  const command = startCommand([
    "--engine",
    engine,
    "-L",
    "-m",
    "2",
    "-t",
    "16",
    "-n",
    "0",
    "-s",
    "0",
    "-r",
    "1",
    "-j",
    "-",
  ]);
  const cpus = new Map<number, number>();
  await until("all threads stand somewhere", () => {
    for (const tid of tasksOf(command.pid)) cpus.set(tid, cpuOf(command.pid, tid));
    return [...cpus.keys()].length > 2 * 17;
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (const tid of tasksOf(command.pid)) cpus.set(tid, cpuOf(command.pid, tid));
  const { code, stdout, stderr } = await command.finished;
  assert.equal(code, 0, stderr);
  const { threads } = checkResult(resultIn(stdout));
  const messageCpus = threads
    .filter(({ role }) => role === "message")
    .toSorted((a, b) => a.index - b.index)
    .map(({ tid }) => cpus.get(tid));
  const workers = threads.filter(({ role }) => role === "worker");
  const beside = workers.filter(({ tid, index }) => cpus.get(tid) === messageCpus[Math.floor(index / 16)]);
  return beside.length / workers.length;
};

for (const engine of engines)
  test(`${engine}: in a storm of 2 × 16 threads, workers stand beside their message thread at least half as often as by chance`, async () => {
    const shares: number[] = [];
    for (let i = 0; i < 4; i++) shares.push(await shareBesideMessageThread(engine));
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    assert.ok(mean > 0.5 / ownCpus.length, `shares ${shares.join(" ")}`);
  });
