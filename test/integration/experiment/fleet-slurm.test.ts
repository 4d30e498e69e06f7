/** `ab --on slurm` on three virtual nodes of a Slurm of the test's own. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { joinWords } from "../../../src/options/values/shell-words.js";
import { PACKAGE_FILES } from "../../../src/package-files.js";
import { runCommand, startCommand } from "../../helpers/command.js";
import { slurmMissing, startSlurm } from "../../helpers/system/own-slurm.js";

const folder = mkdtempSync(join(tmpdir(), "fleet-slurm-"));
const slurm = await startSlurm();
after(() => {
  slurm?.stop();
  rmSync(folder, { recursive: true });
});
const skip = slurmMissing() ?? false;
const env = slurm?.env ?? {};
const there = join(folder, "schbench-ts");
writeFileSync(there, `#!/bin/sh\nexec ${joinWords([process.execPath, PACKAGE_FILES.command])} "$@"\n`);
chmodSync(there, 0o755);

const fleetLine = (store: string, ...words: readonly string[]): readonly string[] => [
  ..."ab --on slurm --nodes 3 --subject a --subject b --warmup-runs 0".split(" "),
  "--on-command",
  there,
  "-o",
  join(folder, store),
  ...words,
  ..."-- -m 1 -t 1 -r 1".split(" "),
];
const nodesIn = (store: string): readonly string[] =>
  readdirSync(join(folder, store)).filter((name) => name.endsWith(".ndjson"));
const linesOf = (store: string, name: string): number => {
  const path = join(folder, store, name);
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
};

void test(
  "three tasks run the experiment on three nodes, and one that dies in mid-run goes on where it was",
  { skip },
  async () => {
    const running = startCommand(fleetLine("three", "--runs", "2"), { env });
    while (linesOf("three", "n2.ndjson") < 3) await sleep(50);
    const node2 = readdirSync("/proc").find((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return (
          words.includes("\0keep\0") && readFileSync(`/proc/${pid}/environ`, "utf8").includes("SLURMD_NODENAME=n2")
        );
      } catch {
        return false;
      }
    });
    process.kill(Number(node2), "SIGKILL");
    const { code, stdout, stderr } = await running.finished;
    assert.equal(code, 0, stderr);
    assert.deepEqual(nodesIn("three"), ["n1.ndjson", "n2.ndjson", "n3.ndjson"]);
    for (const name of nodesIn("three")) assert.equal(linesOf("three", name), 5, name);
    // They share a kernel, and are nodes nevertheless: a row for each, and a word about it.
    assert.match(stdout, /: (?:worse|better|not shown|too few runs) on \d of 3 nodes/);
    for (const node of ["n1", "n2", "n3"]) assert.match(stdout, new RegExp(`^\\s*${node}\\b`, "m"));
    assert.match(stdout, /n1, n2, n3 are one machine/);
    assert.match(stderr, /job \d+: 3 tasks/);
    assert.match(stderr, /job \d+: 1 task;/);
    assert.match(readFileSync(join(folder, "three", "slurm-job.sh"), "utf8"), /^#SBATCH --exclude=n1,n3$/m);
  },
);

void test("an interruption cancels the job, and tears down on the nodes", { skip }, async () => {
  const mark = join(folder, "torn-down");
  const running = startCommand(fleetLine("stopped", "--runs", "6", "--teardown", `all=touch ${mark}`), { env });
  while (linesOf("stopped", "n1.ndjson") < 2) await sleep(50);
  rmSync(mark, { force: true });
  running.kill("SIGINT");
  const { code, stderr } = await running.finished;
  assert.equal(code, 130, stderr);
  assert.match(stderr, /interrupted: cancelling job \d+/);
  assert.match(stderr, /warning: 0 of 3 nodes have all their runs, n1 has \d+ of 12 runs/);
  assert.ok(existsSync(mark));
});

void test(
  "what sbatch refuses is told in its own words, and what a node finds wrong in the node's",
  { skip },
  async () => {
    const refused = await runCommand(fleetLine("refused", "--partition", "nowhere"), { env });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /schbench-ts: sbatch refused the job: .*invalid partition/);
    const wrong = await runCommand(fleetLine("wrong", "--subject", "c=./nope"), { env });
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /schbench-ts: cannot start "\.\/nope" of subject "c"/);
    assert.deepEqual(nodesIn("wrong"), []);
  },
);
