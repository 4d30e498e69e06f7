/** Real runs, really traced: needs root and tracefs, and is skipped with the reason where they are missing. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { runEngine } from "../../../src/engine/run.js";
import { startExplaining } from "../../../src/explain/explain-session.js";
import { type Explanation, explanation as schema } from "../../../src/explain/explanation.js";
import { openTrace } from "../../../src/explain/trace/open-trace.js";
import { explainReadiness } from "../../../src/explain/trace/tracefs.js";
import { nodeTracefs, processTids } from "../../../src/explain/trace/tracefs-node.js";
import { parseTraceText } from "../../../src/explain/trace/trace-text.js";
import { parseCommandLine } from "../../../src/options/line/command-line.js";
import { resolveRun } from "../../../src/options/run/run-options.js";
import { runOptions } from "../../../src/options/run/run-table.js";
import { cpuIdsOf } from "../../../src/platform/cpus/cpu-ids.js";
import { fieldOf, hostFiles } from "../../../src/platform/files.js";
import { GRANTS_ALL } from "../../helpers/fakes/grants-all.js";

const { directory, missing } = explainReadiness(nodeTracefs());
const allowedCpus = cpuIdsOf(fieldOf(readFileSync("/proc/self/status", "utf8"), "Cpus_allowed_list"));
const lastCpu = allowedCpus.at(-1) ?? 0;
const skip = missing.length > 0 ? missing.map(({ what }) => what).join("; ") : false;
const skipWithoutTwoCpus = skip === false && allowedCpus.length < 2 ? "needs two CPUs" : skip;
const isBusy = Number(readFileSync("/proc/loadavg", "utf8").split(" ")[0]) > availableParallelism() / 4;

const ownInstances = (): readonly string[] =>
  directory === null
    ? []
    : readdirSync(`${directory}/instances`).filter((name) => name === `schbench-ts-${process.pid}`);

/** One traced run in this process. */
const explained = async (...argv: string[]): Promise<Explanation> => {
  const { options } = parseCommandLine(["--explain", ...argv], runOptions);
  const { plan } = resolveRun(options, { allowedCpus, refusalOf: () => null, ...GRANTS_ALL });
  const session = startExplaining(nodeTracefs(), hostFiles, processTids);
  try {
    const { result } = await runEngine({
      plan,
      files: hostFiles,
      signal: new AbortController().signal,
      hooks: {},
      jobname: null,
      commandLine: ["schbench-ts", ...argv],
      version: "0.0.0",
      phases: false,
    });
    assert.ok(result.slowWakeups.length > 0);
    return schema.parse(session.explain(result));
  } finally {
    session.close();
  }
};

const assertAddsUp = ({ worst }: Explanation): void => {
  for (const { phases, causes, latencyUsec } of worst)
    for (const parts of [phases, causes])
      assert.ok(Math.abs(parts.reduce((sum, { usec }) => sum + usec, 0) - latencyUsec) < 2);
};

/** Of util-linux. */
const TASKSET = "taskset";

/** A foreign process that never gives a CPU up by itself. */
const spinOn = async (cpu: number, name: string): Promise<ChildProcess> => {
  const script = `process.title = "${name}"; console.log("spins"); for (;;) {}`;
  const child = spawn(TASKSET, ["-c", `${cpu}`, process.execPath, "-e", script], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await Promise.race([once(child.stdout, "data"), once(child, "error").then(([error]) => Promise.reject(error))]);
  return child;
};

void test(
  "of the slow wakeups of an ordinary run nine in ten are attributed, and their parts add up",
  { skip },
  async () => {
    const found = await explained("-m", "1", "-t", "4", "-r", "3");
    assertAddsUp(found);
    assert.ok(found.attributed >= 0.9 * found.slowWakeups, `${found.attributed} of ${found.slowWakeups}`);
    assert.equal(found.trace.damaged, 0);
    assert.deepEqual(ownInstances(), []);
  },
);

void test(
  "a foreign task that spins on the workers' CPU is named, and the CPU they may not use is no placement miss",
  { skip: skipWithoutTwoCpus },
  async () => {
    const spinner = await spinOn(lastCpu, "spins-for-test");
    try {
      const found = await explained("-m", "1", "-t", "1", "-r", "3", "-n", "1", "-W", `${lastCpu}`);
      assertAddsUp(found);
      const foreign = found.causes.find(({ cause }) => cause === "foreign-task");
      assert.ok(
        foreign?.who.some(({ name }) => name === "spins-for-test"),
        JSON.stringify(found.causes),
      );
      assert.ok(
        found.worst.some(({ ran }) => ran.some(({ comm, cpu }) => comm === "spins-for-test" && cpu === lastCpu)),
      );
      assert.equal(found.placementMisses.wakeups, 0);
    } finally {
      spinner.kill("SIGKILL");
    }
  },
);

void test(
  "a thread that is woken on an idle machine waits for an idle CPU",
  { skip: skip === false && isBusy ? "the machine is not idle" : skip },
  async () => {
    const found = await explained("-m", "1", "-t", "1", "-r", "3", "-n", "1");
    const idle = found.causes.find(({ cause }) => cause === "idle-exit");
    assert.ok((idle?.usec ?? 0) > 0, JSON.stringify(found.causes));
  },
);

void test("pages and text of one trace of this kernel tell the same", { skip }, async () => {
  const trace = openTrace({ platform: nodeTracefs() });
  try {
    trace.start();
    await new Promise((resolve) => setTimeout(resolve, 100));
    trace.stop();
    const text = parseTraceText(readFileSync(`${trace.directory}/trace`, "utf8"));
    const all = {
      wakeNsec: 0,
      runNsec: Number.MAX_SAFE_INTEGER,
      workerIndex: 0,
      tid: 1,
      wakerTid: 1,
      cpuBefore: 0,
      cpuAfter: 0,
    };
    const pages = trace.collect([all]).trace;
    assert.equal(text.damaged, 0);
    assert.ok(text.events.length > 0);
    for (const cpu of new Set(text.events.map((event) => event.cpu)))
      assert.deepEqual(
        pages.events
          .filter((event) => event.cpu === cpu)
          .map((event) => ({ ...event, timeNsec: Math.floor((event.timeNsec + 500) / 1000) * 1000 })),
        text.events.filter((event) => event.cpu === cpu),
      );
  } finally {
    trace.remove();
  }
  assert.deepEqual(ownInstances(), []);
});

void test("what a killed process left behind is removed at the next start", { skip }, async () => {
  const modules = new URL("../../../src/explain", import.meta.url).href;
  const script = `
    import { openTrace } from "${modules}/trace/open-trace.js";
    import { nodeTracefs } from "${modules}/trace/tracefs-node.js";
    openTrace({ platform: nodeTracefs() }).start();
    console.log("traces");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const name = `schbench-ts-${child.pid}`;
  assert.ok(readdirSync(`${directory}/instances`).includes(name));
  child.kill("SIGKILL");
  await once(child, "exit");
  const trace = openTrace({ platform: nodeTracefs() });
  trace.remove();
  assert.ok(trace.leftovers.includes(name));
  assert.ok(!readdirSync(`${directory}/instances`).includes(name));
});

void test("a process that ends with an error takes its trace with it", { skip }, async () => {
  const modules = new URL("../../../src/explain", import.meta.url).href;
  const script = `
    import { startExplaining } from "${modules}/explain-session.js";
    import { hostFiles } from "${modules}/../platform/files.js";
    import { nodeTracefs, processTids } from "${modules}/trace/tracefs-node.js";
    startExplaining(nodeTracefs(), hostFiles, processTids);
    setTimeout(() => { throw new Error("on purpose"); }, 10);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
  const [code] = await once(child, "exit");
  assert.equal(code, 1);
  assert.ok(!readdirSync(`${directory}/instances`).includes(`schbench-ts-${child.pid}`));
});
