/** What ends in the middle of a fleet's experiment, and the single executable in the machines' place: too long for every change. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { readExperiment } from "../../src/experiment/read-experiment.js";
import { PACKAGE_FILES } from "../../src/package-files.js";
import { runCommand, startCommand } from "../helpers/command.js";
import { guestKernels, noGuests } from "../helpers/system/guest-kernel.js";
import { slurmMissing, startSlurm } from "../helpers/system/own-slurm.js";

const folder = mkdtempSync(join(tmpdir(), "fleet-"));
const slurm = await startSlurm();
after(() => {
  slurm?.stop();
  rmSync(folder, { recursive: true });
});
const env = slurm?.env ?? {};

const executable = join(PACKAGE_FILES.command, "../../executable/schbench-ts");
const noExecutable = existsSync(executable) ? false : "needs the single executable (npm run build:executable)";

/** Slurm starts a task again some minutes after its node was lost; a guest boots slowly under emulation. */
const LONG = { patienceMsec: 600_000 } as const;
const AS_EXECUTABLE = { ...LONG, program: executable } as const;

const recordsIn = (path: string) =>
  existsSync(path) ? (readExperiment(readFileSync(path, "utf8"), path)?.records ?? []) : [];

void test(
  "a closed terminal leaves the job, a node that dies with its daemon is waited for, and the same command ends with all runs",
  { skip: slurmMissing() ?? noExecutable },
  async () => {
    const store = join(folder, "slurm");
    const line = [
      ..."ab --on slurm --nodes 3 --subject a --subject b --warmup-runs 0 --runs 3 -o".split(" "),
      store,
      "--on-command",
      executable,
      ..."-- -m 1 -t 1 -r 2".split(" "),
    ];
    const node2 = join(store, "n2.ndjson");
    const first = startCommand(line, { env, ...LONG });
    while (recordsIn(node2).length < 1) await sleep(50);
    first.kill("SIGHUP");
    const left = await first.finished;
    assert.equal(left.code, 129, left.stderr);
    const [, job = ""] =
      /^job (\d+) goes on; the same command with -o \S+ waits for it again$/m.exec(left.stderr) ?? [];
    assert.notEqual(job, "", left.stderr);
    const again = startCommand(line, { env, ...LONG });
    while (recordsIn(node2).length < 2) await sleep(50);
    slurm?.kill("n2");
    const before = readFileSync(node2, "utf8");
    // Longer than Slurm waits for a daemon that is silent.
    await sleep(15_000);
    assert.equal(readFileSync(node2, "utf8"), before);
    slurm?.boot("n2");
    const { code, stdout, stderr } = await again.finished;
    assert.equal(code, 0, stderr);
    for (const node of ["n1", "n2", "n3"]) {
      assert.equal(recordsIn(join(store, `${node}.ndjson`)).length, 6);
      assert.match(stdout, new RegExp(`^${node}\\b`, "m"));
    }
    assert.ok(readFileSync(node2, "utf8").startsWith(before.slice(0, before.lastIndexOf("\n") + 1)));
  },
);

void test(
  "the single executable is what runs on a machine, asked by another one of itself",
  { skip: noExecutable },
  async () => {
    const store = join(folder, "on");
    const { code, stdout, stderr } = await runCommand(
      [
        ..."ab --on one=env --on two=env --subject a --subject b --warmup-runs 0 --runs 1 -o".split(" "),
        store,
        "--on-command",
        executable,
        ..."-- -m 1 -t 1 -r 1".split(" "),
      ],
      AS_EXECUTABLE,
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /on 2 of 2 nodes/);
    for (const name of ["one", "two"])
      for (const { command, origin } of recordsIn(join(store, `${name}.ndjson`))) {
        assert.equal(command[0], executable);
        assert.equal(origin?.machine, name);
      }
  },
);

const kernels = guestKernels();
void test(
  "the single executable boots a kernel with itself as the only program",
  { skip: noExecutable === false ? noGuests(kernels, 1) : noExecutable },
  async () => {
    const store = join(folder, "guest.ndjson");
    const { code, stderr } = await runCommand(
      [
        ...`sweep --subject a --kernel a=${kernels[0]} --emulate --vm cpus=2,memory=1G --boots 1 --runs 1`.split(" "),
        ..."--warmup-runs 0 --vary t=1 -o".split(" "),
        store,
        ..."-- -m 1 -r 1".split(" "),
      ],
      AS_EXECUTABLE,
    );
    assert.equal(code, 0, stderr);
    const [record] = recordsIn(store);
    assert.match(record?.origin?.hostname ?? "", /-vm$/);
    assert.ok((record?.result?.averageRps ?? 0) > 0);
  },
);
