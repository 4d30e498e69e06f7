import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Exec,
  type ToolRun,
  V8_OPTIONS,
  inspectBinary,
  inspectNative,
  inspectV8,
} from "../../../src/codegen/inspect.js";
import { v8Flags } from "../../../src/engine/host/v8-host.js";
import { objdumpText, onlyLoop, savedListing } from "./listing-support.js";

const LISTING = objdumpText({
  kernel: [
    "12: mov    (%rax),%rdx",
    "15: imul   (%rsi),%rdx",
    "20: add    %rdx,%rcx",
    "23: mov    %rcx,(%rdi)",
    "29: jne    12 <kernel>",
    "2b: ret",
  ],
});

const ended = (stdout: string, code = 0, stderr = ""): ToolRun => ({ kind: "ended", code, stdout, stderr });

/** An exec that answers by the tool's name and keeps what it was asked. */
const fakeExec = (answers: (file: string, args: readonly string[]) => ToolRun) => {
  const calls: string[] = [];
  const exec: Exec = (file, args) => {
    calls.push([file, ...args].join(" "));
    return Promise.resolve(answers(file, args));
  };
  return { exec, calls };
};

test("a library is named by its file and disassembled without raw bytes", async () => {
  const { exec, calls } = fakeExec(() => ended(LISTING));
  const facts = await inspectNative("/opt/engine/schbench-x86_64-v3.so", exec);
  assert.equal(facts.build, "schbench-x86_64-v3.so");
  assert.deepEqual(calls, ["objdump -d --no-show-raw-insn /opt/engine/schbench-x86_64-v3.so"]);
});

test("without objdump the error says how to get it", async () => {
  const { exec } = fakeExec(() => ({ kind: "missing" }));
  await assert.rejects(inspectBinary("gcc", "./schbench", exec), {
    message: 'cannot list the machine code of "./schbench": there is no objdump',
    remedy: /apt install binutils; Fedora: dnf install binutils/,
  });
});

test("a file of another architecture is given to that architecture's objdump", async () => {
  const { exec, calls } = fakeExec((file) =>
    file === "objdump" ? ended("", 1, "objdump: can't disassemble for architecture UNKNOWN!") : ended(LISTING),
  );
  await inspectBinary("arm", "./a.so", exec);
  assert.deepEqual(
    calls.map((call) => call.split(" ")[0]),
    ["objdump", "aarch64-linux-gnu-objdump"],
  );
});

test("what objdump complains about is passed on, and no other objdump is asked about a missing file", async () => {
  const { exec, calls } = fakeExec(() => ended("", 1, "\nobjdump: './x': No such file\n"));
  await assert.rejects(inspectBinary("gcc", "./x", exec), /"\.\/x": objdump says "objdump: '\.\/x': No such file"/);
  assert.equal(calls.length, 1);
});

test("a foreign file without its objdump tells which package has it", async () => {
  const { exec } = fakeExec((file) =>
    file === "objdump" ? ended("", 1, "objdump: a.so: file format not recognized") : { kind: "missing" },
  );
  await assert.rejects(inspectBinary("arm", "a.so", exec), {
    name: "ForeignMachineError",
    remedy: /binutils-aarch64-linux-gnu/,
  });
});

test("a listing that cannot be understood is an error", async () => {
  const { exec } = fakeExec(() => ended("hello"));
  await assert.rejects(inspectBinary("gcc", "./hello", exec), /cannot read the listing of "\.\/hello"/);
});

const OPTIONS_20 = "  --liftoff (enable)\n  --wasm-inlining (enable)\n  --wasm-lazy-compilation (enable)\n";
const OPTIONS_22 =
  "  --liftoff (enable)\n  --experimental-wasm-inlining (enable)\n  --wasm-lazy-compilation (enable)\n";

const fakeNode = (options: string) =>
  fakeExec((_, args) => {
    if (args[0] === "-p") return ended("V8 11.3 (Node 20.20.2)\n");
    return args[0] === "--v8-options" ? ended(options) : ended(savedListing("v8-20.txt"));
  });

const noModule = () => Promise.resolve(new Uint8Array());

test("Node compiles the module with the optimising compiler only, and names the build by its versions", async () => {
  const { exec, calls } = fakeNode(OPTIONS_20);
  const facts = await inspectV8("node", "m.wasm", exec, noModule);
  assert.deepEqual([facts.build, facts.tool, onlyLoop(facts).productsPerTurn], ["V8 11.3 (Node 20.20.2)", "v8", 8]);
  assert.match(
    calls[2] ?? "",
    /^node --no-liftoff --no-wasm-inlining --no-wasm-lazy-compilation --print-wasm-code -e .* m\.wasm$/,
  );
});

test("what is switched off is what the v8 engine switches off in the newest V8", () => {
  assert.deepEqual(V8_OPTIONS.map((option) => `--no-${option}`).toSorted(), v8Flags("14.6.202.34-node.40").toSorted());
});

test("an option that a V8 does not know is left out, since it would refuse to start", async () => {
  const { exec, calls } = fakeNode(OPTIONS_22);
  await inspectV8("node", "m.wasm", exec, noModule);
  assert.match(calls[2] ?? "", /^node --no-liftoff --no-wasm-lazy-compilation --print-wasm-code -e /);
});

test("functions are named by the module's exports", async () => {
  const name = new TextEncoder().encode("do_some_math");
  const module = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 7, 16, 1, name.length, ...name, 0, 16]);
  const facts = await inspectV8("node", "m.wasm", fakeNode(OPTIONS_20).exec, () => Promise.resolve(module));
  assert.equal(onlyLoop(facts).functionName, "do_some_math");
});

test("a node that is not there, or fails, is an error with its name", async () => {
  const missing = fakeExec(() => ({ kind: "missing" }));
  await assert.rejects(inspectV8("./node99", "m.wasm", missing.exec, noModule), /cannot run "\.\/node99"/);
  const failing = fakeExec(() => ended("", 9, "./node99: bad option: -p"));
  await assert.rejects(inspectV8("./node99", "m.wasm", failing.exec, noModule), /failed: \.\/node99: bad option: -p/);
});

test("a node whose V8 prints no code is an error that says which node does", async () => {
  const { exec } = fakeExec((_, args) => ended(args[0] === "-p" ? "V8 1 (Node 1)" : ""));
  await assert.rejects(inspectV8("node", "m.wasm", exec, noModule), {
    message: /listing of "V8 1 \(Node 1\)": no optimised WebAssembly function/,
    remedy: /release builds/,
  });
});
