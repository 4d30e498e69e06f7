import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import type { Io, TextSink } from "../../src/cli/io/command.js";
import { doctorCommandIn } from "../../src/cli/commands/doctor-command.js";
import { UsageError } from "../../src/errors.js";
import { EQUIPPED, type Patient, idleSecond, surroundingsOf } from "../unit/doctor/patients.js";
import { AMD_VM, ARM64, BARE_METAL_INTEL, CONTAINER, SCHED_EXT } from "../unit/platform/machines.js";

const EXPECTED = resolve("test/golden/expected/doctor");

const assertGolden = (name: string, text: string): void => {
  const path = resolve(EXPECTED, name);
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(EXPECTED, { recursive: true });
    writeFileSync(path, text);
  }
  assert.equal(text, readFileSync(path, "utf8"));
};

interface Terminal {
  readonly isTerminal: boolean;
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

const run = async (patient: Patient, argv: readonly string[], terminal: Terminal = { isTerminal: false }) => {
  let text = "";
  const sink = (write: TextSink["write"]): TextSink => ({
    write,
    isTerminal: terminal.isTerminal,
    columns: terminal.columns,
  });
  const io: Io = {
    stdout: sink((part) => {
      text += part;
    }),
    stderr: sink((part) => assert.fail(`unexpected on stderr: ${part}`)),
    stdin: () => process.stdin,
    atOnce: (work) => work(),
    env: terminal.env ?? {},
    interrupted: new AbortController().signal,
  };
  const exitCode = await doctorCommandIn(() => surroundingsOf(patient)).run(argv, io);
  return { text, exitCode };
};

const busy = {
  ...AMD_VM,
  "/proc/31/stat": "31 (cc1plus) R 1 31 31 0 -1 4194560 9 0 0 0 95 12 0 0 20 0 1 0 9\n",
};

const noEngine: NonNullable<Patient["nativeEngine"]> = () => ({
  build: null,
  reason: "no library was built",
  home: "checkout",
});

const PATIENTS: Readonly<Record<string, Patient & { readonly exitCode: number }>> = {
  "bare-metal-intel": {
    tree: { ...BARE_METAL_INTEL, ...EQUIPPED },
    afterSecond: idleSecond({ ...BARE_METAL_INTEL, ...EQUIPPED }, 8),
    exitCode: 0,
  },
  "busy-amd-vm": { tree: AMD_VM, afterSecond: idleSecond(busy, 2, 107, 14), nativeEngine: noEngine, exitCode: 1 },
  container: { tree: { ...CONTAINER, ...EQUIPPED }, exitCode: 1 },
  "arm64-metal": {
    tree: ARM64,
    nativeEngine: () => ({ build: "aarch64 gcc 12.2.0", reason: null }),
    tracing: () => ({
      ready: false,
      missing: "tracing is for root only, and this process is not root",
      remedy: "Run it as root, or with sudo.",
    }),
    exitCode: 1,
  },
  "sched-ext": { tree: { ...SCHED_EXT, ...EQUIPPED, "/sys/kernel/sched_ext/switch_all": "0\n" }, exitCode: 0 },
};

for (const [name, { exitCode, ...patient }] of Object.entries(PATIENTS)) {
  void test(`the doctor's text on ${name} is as written down, and the exit code is ${exitCode}`, async () => {
    const outcome = await run(patient, []);
    assertGolden(`${name}.txt`, outcome.text);
    assert.equal(outcome.exitCode, exitCode);
  });
}

const tuned: Patient = { tree: { ...BARE_METAL_INTEL, ...EQUIPPED } };

void test("the doctor's JSON is as written down", async () => {
  const { text } = await run(tuned, ["--format", "json"]);
  assertGolden("bare-metal-intel.json", text);
});

void test("on a terminal colour is added, and nothing else", async () => {
  const plain = await run(tuned, []);
  const coloured = await run(tuned, [], { isTerminal: true });
  assert.notEqual(coloured.text, plain.text);
  assert.equal(stripVTControlCharacters(coloured.text), plain.text);
});

void test("NO_COLOR is respected on a terminal, unless it is empty", async () => {
  const plain = await run(tuned, []);
  assert.equal((await run(tuned, [], { isTerminal: true, env: { NO_COLOR: "1" } })).text, plain.text);
  assert.notEqual((await run(tuned, [], { isTerminal: true, env: { NO_COLOR: "" } })).text, plain.text);
});

void test("lines keep within the terminal", async () => {
  const { text } = await run({ tree: AMD_VM }, [], { isTerminal: true, columns: 80, env: { NO_COLOR: "1" } });
  // A path is one word and may stick out.
  const long = text
    .split("\n")
    .slice(1)
    .filter((line) => line.length > 80 && !line.includes("/sys/"));
  assert.deepEqual(long, []);
});

void test("a format that there is not is refused", async () => {
  await assert.rejects(run(tuned, ["--format", "xml"]), UsageError);
});
