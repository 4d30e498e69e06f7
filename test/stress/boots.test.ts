/** Guests that go wrong, each booted for real under emulation: too long for every change, run before a release. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readExperiment } from "../../src/experiment/read-experiment.js";
import { buildIdIn } from "../../src/laboratory/reboot/elf-notes.js";
import { readKernelFile } from "../../src/laboratory/reboot/kernels.js";
import { systemAt } from "../../src/laboratory/reboot/system.js";
import { PACKAGE_FILES } from "../../src/package-files.js";
import { guestKernels, noGuests } from "../helpers/system/guest-kernel.js";

const kernels = guestKernels();
const [first = "", second = ""] = kernels;

/** Runs `ab` in a folder of its own; returns what it said and what it stored. */
const ab = async (words: readonly string[], interruptMsec: number | null = null) => {
  const folder = mkdtempSync(join(tmpdir(), "boots-"));
  try {
    const store = join(folder, "runs.ndjson");
    const child = spawn(
      process.execPath,
      [
        PACKAGE_FILES.command,
        "ab",
        "--emulate",
        "--warmup-runs",
        "0",
        "-o",
        store,
        ...words,
        "--",
        "-m",
        "1",
        "-t",
        "1",
        "-r",
        "1",
      ],
      { cwd: folder, env: { ...process.env, TMPDIR: folder } },
    );
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    if (interruptMsec !== null) setTimeout(() => child.kill("SIGINT"), interruptMsec);
    const code = await new Promise((resolve) => void child.on("close", resolve));
    const left = readdirSync(folder);
    const text = left.includes("runs.ndjson") ? readFileSync(store, "utf8") : "";
    return { code, stdout, stderr, left, records: readExperiment(text, store)?.records ?? [] };
  } finally {
    rmSync(folder, { recursive: true });
  }
};
const twoOf = (a: string, b: string) => [
  "--subject",
  "a",
  "--kernel",
  `a=${a}`,
  "--subject",
  "b",
  "--kernel",
  `b=${b}`,
];
const SMALL = ["--vm", "cpus=2,memory=1G", "--boots", "2", "--runs", "1"];

void test(
  "two kernels, two boots each, alternate; every boot is another one",
  { skip: noGuests(kernels, 2) },
  async () => {
    const { code, stderr, records } = await ab([...twoOf(first, second), ...SMALL]);
    assert.ok(code === 0 || code === 3, stderr);
    assert.equal(new Set(records.map(({ origin }) => origin?.bootId)).size, 4);
    assert.equal(new Set(records.map(({ origin }) => origin?.kernel)).size, 2);
  },
);

void test(
  "a guest that panics in a set-up is shown with its console, and nothing is left of it",
  { skip: noGuests(kernels, 1) },
  async () => {
    const { code, stderr, left } = await ab([
      ...twoOf(first, first),
      ...SMALL,
      "--setup",
      "all=echo c > /proc/sysrq-trigger",
    ]);
    assert.equal(code, 1);
    assert.match(stderr, /the guest of subject ".*its kernel panicked: sysrq triggered crash/);
    assert.match(stderr, /\| .*Kernel panic - not syncing/);
    assert.deepEqual(left, ["runs.ndjson"]);
  },
);

void test("a guest without an init panics, and its console says so", { skip: noGuests(kernels, 1) }, async () => {
  const { code, stderr } = await ab([...twoOf(first, first), ...SMALL, "--append", "all=rdinit=/no/such/file"]);
  assert.equal(code, 1);
  assert.match(stderr, /its kernel panicked: VFS: Unable to mount root fs/);
});

void test(
  "a guest that is not up in time is said to hang, with the end of its console",
  { skip: noGuests(kernels, 1) },
  async () => {
    const { code, stderr } = await ab([
      ...twoOf(first, first),
      "--vm",
      "cpus=1,memory=1G,limit=1",
      "--boots",
      "2",
      "--runs",
      "1",
    ]);
    assert.equal(code, 1);
    assert.match(stderr, /was not up after 1 s/);
  },
);

void test(
  "a topology of sockets, threads and nodes is what the guest sees",
  { skip: noGuests(kernels, 1) },
  async () => {
    const seen =
      "cat /sys/devices/system/node/online /sys/devices/system/cpu/cpu0/topology/thread_siblings_list; exit 1";
    const { stderr } = await ab([
      ...twoOf(first, first),
      "--vm",
      "cpus=4,memory=1G,sockets=2,cores=1,threads=2,nodes=2",
      "--boots",
      "2",
      "--runs",
      "1",
      "--setup",
      `all=${seen}`,
    ]);
    assert.match(stderr, /\| 0-1\n.*\| 0-1\n/);
  },
);

void test(
  "an interruption while a guest boots ends it and leaves nothing",
  { skip: noGuests(kernels, 1) },
  async () => {
    const { code, left } = await ab([...twoOf(first, first), ...SMALL], 6000);
    assert.equal(code, 130);
    assert.deepEqual(left, ["runs.ndjson"]);
  },
);

void test(
  "release, build and build id that are read from a kernel's image are those that it shows when it runs",
  { skip: noGuests(kernels, 1) },
  async () => {
    const { release, build, buildId } = await readKernelFile(first, null, systemAt("/"));
    const shown =
      "cat /proc/sys/kernel/osrelease /proc/sys/kernel/version; od -An -v -tx1 -w999999 /sys/kernel/notes; exit 1";
    const { stderr } = await ab([...twoOf(first, first), ...SMALL, "--setup", `all=${shown}`]);
    const [said = "", built = "", notes = ""] = [...stderr.matchAll(/^ {2}\| (.*)$/gmu)].map(([, line = ""]) => line);
    assert.equal(said, release, stderr);
    assert.equal(built, build);
    assert.ok(buildId !== null, "needs zstd, xz or lz4");
    assert.equal(buildIdIn(Buffer.from(notes.replaceAll(" ", ""), "hex")), buildId);
  },
);
