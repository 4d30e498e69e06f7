/** `--explain` in what a container is made of: a PID namespace of its own, and a control group with a CPU limit. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { test } from "node:test";
import { z } from "zod";
import { type Explanation, explanation } from "../../../src/explain/explanation.js";
import { explainReadiness } from "../../../src/explain/trace/tracefs.js";
import { nodeTracefs } from "../../../src/explain/trace/tracefs-node.js";
import { slowWakeup } from "../../../src/model/result/run-result.js";
import { PACKAGE_FILES } from "../../../src/package-files.js";

const { directory, missing } = explainReadiness(nodeTracefs());
const cannotTrace = missing.length > 0 ? missing.map(({ what }) => what).join("; ") : false;

const ours = z.object({
  explanation,
  slowWakeups: z.array(slowWakeup),
  threads: z.array(z.object({ tid: z.number() })),
});

/** A busy machine makes long time lines. */
const MOST_OUTPUT = 64 * 1024 * 1024;

const run = (command: string, ...argv: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(command, [...argv, "-j", "-"], {
    encoding: "utf8",
    maxBuffer: MOST_OUTPUT,
  });
  assert.equal(status, 0, stderr);
  const parts = z.record(z.string(), z.unknown()).parse(JSON.parse(stdout));
  const found = Object.values(parts).flatMap((part) => ours.safeParse(part).data ?? []);
  const [first] = found;
  assert.ok(first !== undefined, stderr);
  return first;
};

const assertAddsUp = ({ worst, more }: Explanation): void => {
  for (const { phases, causes, latencyUsec } of [...worst, ...more])
    for (const parts of [phases, causes])
      assert.ok(Math.abs(parts.reduce((sum, { usec }) => sum + usec, 0) - latencyUsec) < 2);
};

const instances = (): readonly string[] =>
  readdirSync(`${directory}/instances`).filter((name) => name.startsWith("schbench-ts-") && name.includes("-ns"));

const UNSHARE = ["--pid", "--fork", "--mount-proc"] as const;
const cannotUnshare =
  spawnSync("unshare", [...UNSHARE, "true"]).status === 0 ? false : "unshare --pid is not possible here";

void test(
  "in a PID namespace of its own the threads are found in the trace, and told by their own ids",
  { skip: cannotTrace === false ? cannotUnshare : cannotTrace },
  () => {
    const command = [process.execPath, PACKAGE_FILES.command, "--explain", "-m", "1", "-t", "3", "-r", "2"];
    const { explanation: found, slowWakeups, threads } = run("unshare", ...UNSHARE, ...command);
    assertAddsUp(found);
    assert.equal(found.slowWakeups, slowWakeups.length);
    assert.ok(found.attributed >= 0.9 * found.slowWakeups, `${found.attributed} of ${found.slowWakeups}`);
    const own = new Set(threads.map(({ tid }) => tid));
    for (const { tid, kernelTid, ran } of found.worst) {
      assert.ok(own.has(tid));
      assert.notEqual(kernelTid, tid);
      assert.ok(ran.every((one) => one.tid !== kernelTid));
    }
    assert.deepEqual(instances(), []);
  },
);

interface Group {
  readonly folder: string;
  readonly limit: (quotaUsec: number, periodUsec: number) => void;
  readonly procs: string;
}

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

const write = (folder: string, file: string, text: string): void => writeFileSync(`${folder}/${file}`, text);

/** A new group of either version of control groups; null where none can be made. It gets all the time that its limit leaves it. */
const makeGroup = (name: string): Group | null => {
  const old = "/sys/fs/cgroup/cpu";
  if (existsSync(`${old}/cpu.cfs_quota_us`) && isWritable(`${old}/tasks`)) {
    const folder = `${old}/${name}`;
    mkdirSync(folder);
    write(folder, "cpu.shares", "262144");
    const limit = (quota: number, period: number): void => {
      write(folder, "cpu.cfs_period_us", `${period}`);
      write(folder, "cpu.cfs_quota_us", `${quota}`);
    };
    return { folder, limit, procs: `${folder}/tasks` };
  }
  const root = "/sys/fs/cgroup";
  const control = `${root}/cgroup.subtree_control`;
  if (!isWritable(control) || !readFileSync(control, "utf8").split(/\s/).includes("cpu")) return null;
  const folder = `${root}/${name}`;
  mkdirSync(folder);
  write(folder, "cpu.weight", "10000");
  return {
    folder,
    limit: (quota, period) => write(folder, "cpu.max", `${quota} ${period}`),
    procs: `${folder}/cgroup.procs`,
  };
};

const group = cannotTrace === false ? makeGroup(`schbench-ts-test-${process.pid}`) : null;

void test(
  "what a CPU limit takes is put down to it, not to who ran meanwhile",
  {
    skip:
      cannotTrace === false
        ? group === null
          ? "no control group with a CPU limit can be made here"
          : false
        : cannotTrace,
  },
  () => {
    assert.ok(group !== null);
    try {
      group.limit(20_000, 50_000);
      const inGroup = ["-c", 'echo $$ > "$0" && exec "$@"', group.procs];
      const command = [process.execPath, PACKAGE_FILES.command, "--explain", "-m", "1", "-t", "2", "-r", "3"];
      const { explanation: found } = run("sh", ...inGroup, ...command);
      assertAddsUp(found);
      const throttled = found.causes.find(({ cause }) => cause === "throttled");
      // Two workers want two CPUs and may have 0.4: in most periods both are stopped for 10 ms and more.
      assert.ok((throttled?.usec ?? 0) > 50_000, JSON.stringify(found.causes));
    } finally {
      for (let left = 50; existsSync(group.folder) && left > 0; left--)
        try {
          rmdirSync(group.folder);
        } catch {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
        }
    }
  },
);
