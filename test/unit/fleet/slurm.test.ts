import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { UserError } from "../../../src/errors.js";
import type { Execution } from "../../../src/experiment/laboratory.js";
import { nodeName, seedFor } from "../../../src/fleet/node-name.js";
import { isLogOf, type JobPlan, jobScript } from "../../../src/fleet/slurm/job-script.js";
import { landedIn } from "../../../src/fleet/slurm/landed.js";
import { queued, submit } from "../../../src/fleet/slurm/queue.js";
import { fakeLaboratory } from "../../helpers/fakes/fake-laboratory.js";

const PLAN: JobPlan = {
  folder: "/shared/fleet",
  token: "shared",
  nodes: 20,
  exclude: [],
  partition: null,
  account: null,
  sbatch: null,
  program: ["schbench-ts"],
  words: ["ab", "--flags=b=-n 6"],
};
const { signal } = new AbortController();
const saying = (answer: Partial<Execution>) => fakeLaboratory({ execute: () => answer });

void test("the script gives each task a node of its own, is requeued, and starts our command as words that no shell changes", () => {
  assert.equal(
    jobScript(PLAN),
    `#!/bin/sh
#SBATCH --job-name=schbench-ts
#SBATCH --array=1-20
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --exclusive
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=/shared/fleet/slurm-%A_%a.log
exec schbench-ts on keep /shared/fleet shared ab --flags=b=-n%206
`,
  );
});

void test("partition, account, further options and nodes that are done are passed on", () => {
  const script = jobScript({
    ...PLAN,
    partition: "bench",
    account: "sched",
    sbatch: "--time=2:00:00 --constraint=zen4",
    exclude: ["n1", "n3"],
  });
  for (const option of ["--partition=bench", "--account=sched", "--exclude=n1,n3", "--time=2:00:00 --constraint=zen4"])
    assert.ok(script.includes(`\n#SBATCH ${option}\n`), option);
});

void test("a directory that sbatch would read in its own way is refused", () => {
  for (const folder of ["/my fleet", "/a%j"]) assert.throws(() => jobScript({ ...PLAN, folder }), UserError);
});

void test("a log is known by its job", () => {
  assert.ok(isLogOf("7", "slurm-7_12.log"));
  assert.ok(!isLogOf("7", "slurm-77_12.log") && !isLogOf("7", "slurm-7_1.ndjson"));
});

void test("sbatch gives the job's number, on a federated cluster too, or its own words", async () => {
  assert.equal(await submit(saying({ stdout: "17\n" }), "job.sh", signal), "17");
  assert.equal(await submit(saying({ stdout: "17;east\n" }), "job.sh", signal), "17");
  const refusing = saying({
    exitCode: 1,
    stderr: "sbatch: error: invalid partition specified: x\nsbatch: error: more\n",
  });
  await assert.rejects(submit(refusing, "job.sh", signal), {
    message: "sbatch refused the job: invalid partition specified: x",
    remedy: "sbatch: error: more\nThe script is in job.sh.",
  });
});

void test("the tasks in the queue are read; a job that Slurm has forgotten has none; an outage says nothing", async () => {
  const listed = saying({ stdout: "17_1|RUNNING|n1|None\n17_2|PENDING||Resources\n" });
  assert.deepEqual(await queued(listed, "17", signal), [
    { id: "17_1", state: "RUNNING", node: "n1", reason: "None" },
    { id: "17_2", state: "PENDING", node: null, reason: "Resources" },
  ]);
  assert.deepEqual(
    await queued(saying({ exitCode: 1, stderr: "slurm_load_jobs error: Invalid job id specified\n" }), "17", signal),
    [],
  );
  assert.equal(
    await queued(
      saying({ exitCode: 1, stderr: "slurm_load_jobs error: Unable to contact slurm controller\n" }),
      "17",
      signal,
    ),
    null,
  );
});

void test("a machine has the queueing system's name for it, and an order of runs of its own", () => {
  assert.equal(nodeName({ SLURMD_NODENAME: "n1", NODE_NAME: "k1" }, "host"), "n1");
  assert.equal(nodeName({ NODE_NAME: "k1" }, "host"), "k1");
  assert.equal(nodeName({}, "host"), "host");
  assert.notEqual(seedFor(1, "n1"), seedFor(1, "n2"));
  assert.equal(seedFor(1, "n1"), seedFor(1, "n1"));
});

const folder = mkdtempSync(join(tmpdir(), "landed-"));
after(() => rmSync(folder, { recursive: true }));

void test("runs are counted as they land, from where a file was left", async () => {
  writeFileSync(join(folder, "n1.ndjson"), "plan\nrun\n");
  writeFileSync(join(folder, "notes.txt"), "\n\n\n");
  const look = landedIn(folder);
  assert.deepEqual([...(await look())], [["n1", 1]]);
  appendFileSync(join(folder, "n1.ndjson"), "run\nru");
  writeFileSync(join(folder, "n2.ndjson"), "");
  assert.deepEqual(
    [...(await look())],
    [
      ["n1", 2],
      ["n2", 0],
    ],
  );
  appendFileSync(join(folder, "n1.ndjson"), "n\n");
  assert.equal((await look()).get("n1"), 3);
});
