import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readExperiment } from "../../../src/experiment/read-experiment.js";
import { UNIT_FILE } from "../../../src/laboratory/reboot/unit.js";
import { scratchMachine } from "../../helpers/system/scratch-machine.js";

const helper = (name: string): string => fileURLToPath(new URL(`../../helpers/${name}.js`, import.meta.url));
const KERNELS = { "/boot/vmlinuz-6.1": "6.1", "/boot/vmlinuz-6.12": "6.12" };

/** A machine, and the command that a person gives there. */
const withMachine = async (
  body: (around: {
    readonly machine: ReturnType<typeof scratchMachine>;
    readonly folder: string;
    readonly ab: (...more: readonly string[]) => readonly string[];
    readonly records: () => ReturnType<typeof readExperiment>;
  }) => Promise<void>,
): Promise<void> => {
  const root = mkdtempSync(join(tmpdir(), "reboot-"));
  const folder = join(root, "data of 100 %");
  mkdirSync(folder);
  try {
    const fake = `${process.execPath} ${helper("fakes/fake-schbench")}`;
    const subjects = ["--subject", `old=${fake}`, "--subject", `new=${fake}`];
    const kernels = ["--kernel", "old=/boot/vmlinuz-6.1", "--kernel", "new=/boot/vmlinuz-6.12"];
    const words = ["--append", "new=nosmt mitigations=off", "--setup", 'new=echo "$SCHBENCH_SUBJECT" >> seen'];
    const env = ["--env", `all=FAKE_STATE=${folder}`, "--env", "new=FAKE_NAME=new"];
    const often = ["--boots", "2", "--runs", "2", "--warmup-runs", "0", "--quiet-limit", "0", "-o", "runs.ndjson"];
    const flags = ["--", "-m", "1", "-t", "1", "-r", "1"];
    const ab = (...more: readonly string[]) => [
      process.execPath,
      helper("system/reboot-main"),
      "--reboot",
      ...subjects,
      ...kernels,
      ...words,
      ...env,
      ...often,
      ...more,
      ...flags,
    ];
    const store = join(folder, "runs.ndjson");
    await body({
      machine: scratchMachine(root, KERNELS),
      folder,
      ab,
      records: () => readExperiment(readFileSync(store, "utf8"), store),
    });
  } finally {
    rmSync(root, { recursive: true });
  }
};

/** Boots until the unit is gone; returns what the last process said. */
const goOn = async (machine: ReturnType<typeof scratchMachine>) => {
  let last = null;
  while (machine.isLeaving()) {
    machine.boot();
    last = (await machine.byUnit()?.ended) ?? null;
    assert.ok(machine.boots() < 12, machine.log().join("\n"));
  }
  return last;
};

void test("an experiment goes on over boots by its unit alone, survives a killed run, and ends with the usual table", () =>
  withMachine(async ({ machine, folder, ab, records }) => {
    // The second run of "new" hangs, until the power fails.
    const first = await machine.byHand(ab("--env", "new=FAKE_FAIL_AT=2", "--env", "new=FAKE_FAIL=hang"), folder).ended;
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stderr, /starting vmlinuz-6\.\d+ by kexec, try 1 of 3; after the boot it goes on by itself/);
    const log = () => (existsSync(join(folder, "log")) ? readFileSync(join(folder, "log"), "utf8") : "");
    const hangs = async (): Promise<"hangs"> => {
      while (log().split("run new").length < 3) await sleep(20);
      return "hangs";
    };
    for (let isCut = false; !isCut;) {
      machine.boot();
      const session = machine.byUnit();
      assert.ok(session !== null);
      if ((await Promise.race([session.ended, hangs()])) === "hangs") {
        session.child.kill("SIGKILL");
        await session.ended;
        isCut = true;
      }
    }
    const stored = records()?.records.length ?? 0;
    machine.boot();
    await machine.byUnit()?.ended;
    const last = await goOn(machine);
    assert.ok(last?.code === 0 || last?.code === 3, last?.stderr);
    assert.match(last.stdout, /request p99/);
    const made = records()?.records ?? [];
    assert.equal(made.length, 8);
    assert.ok(stored < 8);
    assert.ok(made.every(({ slot, origin }) => origin?.kernel === (slot.subject === "old" ? "6.1" : "6.12")));
    // Where the unit says, relative paths mean what they meant; each set-up was run, in vain once.
    assert.equal(readFileSync(join(folder, "seen"), "utf8"), "new\n".repeat(5));
    assert.ok(!machine.isThere(UNIT_FILE));
    assert.equal(machine.log().at(-1), "systemctl daemon-reload");
    const status = await machine.byHand(
      [process.execPath, helper("system/reboot-main"), "--status", "runs.ndjson"],
      folder,
    ).ended;
    assert.match(status.stdout, /^runs\.ndjson: 8 of 8 runs are done\n/);
    assert.match(status.stdout, /next: nothing, all runs are made\nlast words:\n(?:.*\n)*.*all runs are made\n$/);
  }));

void test("--status says in mid-course what is done, what comes next and what was said last", () =>
  withMachine(async ({ machine, folder, ab }) => {
    await machine.byHand(ab(), folder).ended;
    machine.boot();
    await machine.byUnit()?.ended;
    // Power fails, and the usual kernel comes up instead of the next one.
    machine.boot();
    const { stdout, code } = await machine.byHand(
      [process.execPath, helper("system/reboot-main"), "--status", "runs.ndjson"],
      folder,
    ).ended;
    assert.equal(code, 0);
    assert.match(stdout, /^runs\.ndjson: 2 of 8 runs are done, about \d+ s left, \d+ s of them for each boot\n/);
    assert.match(stdout, /^(?:old|new) {2}boot 1 {2}\/boot\/vmlinuz-6\.\d+ +2 of 2 runs {2}asked for 1 time$/m);
    assert.match(stdout, /^next: (?:old|new), boot [12]: \/boot\/vmlinuz-6/m);
    assert.match(stdout, /^ {2}20\S+Z {2}(?:old|new), boot [12]: starting vmlinuz-6\.\d+ by kexec, try 1 of 3$/m);
  }));

void test("--plan shows unit, programs and order, writes nothing and runs nothing", () =>
  withMachine(async ({ machine, folder, ab }) => {
    const { code, stdout, stderr } = await machine.byHand(ab("--plan"), folder).ended;
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^A plan: nothing was done\.$/m);
    // What the unit starts does it.
    assert.match(stdout, /ExecStart=.*"runs\.ndjson" "--" "-m"/);
    assert.match(stdout, /^ {2}1 {2}(?:old|new) {2}boot 1 {2}\/boot\/vmlinuz-6\.\d+ +2 runs$/m);
    assert.match(
      stdout,
      /^ {2}kexec --kexec-syscall-auto --load \/boot\/vmlinuz-6\.12 '--command-line=root=\/dev\/sda1 quiet nosmt mitigations=off panic=60'$/m,
    );
    assert.match(stdout, /^4 boots, 8 runs; the runs take about/m);
    assert.ok(!existsSync(join(folder, "runs.ndjson")) && !machine.isThere("/log") && !machine.isThere(UNIT_FILE));
  }));
