import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CODEGEN_TABLE,
  type CodegenSurroundings,
  codegenCommandIn,
} from "../../../src/cli/commands/codegen-command.js";
import { runTool } from "../../../src/cli/io/run-tool.js";
import { tableFaults } from "../../../src/options/line/option-table.js";
import type { ToolRun } from "../../../src/codegen/inspect.js";
import { objdumpText, savedListing } from "./listing-support.js";

const kernel = (store: readonly string[]) =>
  objdumpText({
    kernel: [
      "12: mov    (%rax),%rdx",
      "15: imul   (%rsi),%rdx",
      "20: add    %rdx,%rcx",
      ...store,
      "29: jne    12 <kernel>",
      "2b: mov    %rcx,%rax",
      "2e: ret",
    ],
  });
const GOOD = kernel(["23: mov    %rcx,(%rdi)"]);
const HOISTED = kernel([]);

const ended = (stdout: string): ToolRun => ({ kind: "ended", code: 0, stdout, stderr: "" });

/** Surroundings with the given engine files; binaries are listed by their path, any node is Node 20. */
const surroundings = (
  engineFiles: readonly string[],
  listings: Readonly<Record<string, string>>,
): CodegenSurroundings & { readonly nodes: string[] } => {
  const nodes: string[] = [];
  return {
    nodes,
    engineDirectory: "engine/",
    engineFiles: () => Promise.resolve(engineFiles),
    nodePath: "node20",
    readFile: () => Promise.resolve(new Uint8Array()),
    whyNoBinary: (path) => Promise.resolve(path === "./nowhere" ? "there is no such file" : null),
    exec: (file, args) => {
      if (file.endsWith("objdump")) {
        const listing = listings[args.at(-1) ?? ""];
        const missing: ToolRun = { kind: "ended", code: 1, stdout: "", stderr: "objdump: No such file" };
        return Promise.resolve(listing === undefined ? missing : ended(listing));
      }
      if (args[0] !== "-p") return Promise.resolve(ended(args[0] === "--v8-options" ? "" : savedListing("v8-20.txt")));
      nodes.push(file);
      return Promise.resolve(ended(`V8 of ${file}\n`));
    },
  };
};

const runCommand = async (around: CodegenSurroundings, argv: readonly string[]) => {
  const out: string[] = [];
  const err: string[] = [];
  const code = await codegenCommandIn(around).run(argv, {
    stdout: { write: (text) => out.push(text), isTerminal: false, columns: undefined },
    stderr: { write: (text) => err.push(text), isTerminal: false, columns: undefined },
    stdin: () => process.stdin,
    atOnce: (work) => work(),
    env: {},
    interrupted: new AbortController().signal,
  });
  return { code, stdout: out.join(""), stderr: err.join("") };
};

test("the option table has no fault", () => {
  assert.deepEqual(tableFaults(CODEGEN_TABLE), []);
});

test("libraries, the module under each node, and references are inspected in that order", async () => {
  const around = surroundings(["schbench.wat", "schbench.wasm", "b.so", "a.so"], {
    "engine/a.so": GOOD,
    "engine/b.so": GOOD,
    "./gcc-build": GOOD,
  });
  const { code, stdout, stderr } = await runCommand(around, ["--reference", "gcc=./gcc-build", "--node", "./node26"]);
  const verdicts = stdout.split("\n").filter((line) => line.includes(": yes, "));
  assert.deepEqual(
    verdicts.map((line) => line.split(": yes")[0]),
    ["a.so", "b.so", "V8 of node20", "V8 of ./node26", "gcc"],
  );
  assert.deepEqual([code, stderr, around.nodes], [0, "", ["node20", "./node26"]]);
});

test("a build that is not as wanted ends with exit code 2", async () => {
  const { code, stdout } = await runCommand(surroundings(["a.so"], { "engine/a.so": HOISTED }), []);
  assert.equal(code, 2);
  assert.match(stdout, /a\.so: NO, kernel\+0x0: stores the sum only after the loop/);
});

test("a build that cannot be read does not hide the others, and ends with exit code 1", async () => {
  const around = surroundings(["a.so"], { "engine/a.so": GOOD });
  const { code, stdout, stderr } = await runCommand(around, ["--reference", "gcc=./nowhere"]);
  assert.equal(code, 1);
  assert.match(stdout, /a\.so: yes/);
  assert.match(
    stderr,
    /^schbench-ts: cannot list the machine code of "\.\/nowhere": there is no such file\n.*an ELF executable/,
  );
});

test("a library for another machine is left out with a word about it; a reference is not", async () => {
  const around = surroundings(["a.so", "arm.so"], { "engine/a.so": GOOD });
  const foreign: CodegenSurroundings = {
    ...around,
    exec: (file, args) =>
      /arm/.test(args.at(-1) ?? "")
        ? Promise.resolve({ kind: "ended", code: 1, stdout: "", stderr: "objdump: architecture UNKNOWN!" })
        : around.exec(file, args),
  };
  const left = await runCommand(foreign, []);
  assert.deepEqual([left.code, /^left out: .*"engine\/arm\.so"/.test(left.stderr)], [0, true]);
  assert.equal((await runCommand(foreign, ["--reference", "arm=./arm"])).code, 1);
});

test("JSON carries facts, verdicts and errors", async () => {
  const around = surroundings(["a.so"], { "engine/a.so": GOOD });
  const { stdout } = await runCommand(around, ["--format", "json", "--reference", "gcc=./nowhere"]);
  const { format, version, builds, errors } = JSON.parse(stdout);
  assert.deepEqual([format, version, builds.length, errors.length], ["schbench-ts/codegen", 1, 1, 1]);
  assert.deepEqual([builds[0].build, builds[0].verdict.ok, builds[0].loops[0].resultStores], ["a.so", true, 1]);
});

test("markdown is a table", async () => {
  const { stdout } = await runCommand(surroundings(["a.so"], { "engine/a.so": GOOD }), ["--format=markdown"]);
  assert.match(stdout, /^\| build \| loop \|.*\n\| --- \| --- \| ---: \|/);
});

test("with neither engine nor reference there is nothing to look at", async () => {
  await assert.rejects(runCommand(surroundings([], {}), []), {
    message: /there is no build to inspect: no engine in "engine\/" and no --reference/,
    remedy: /npm run build/,
  });
});

for (const text of ["gcc", "=./gcc", "gcc="]) {
  test(`--reference "${text}" is refused`, async () => {
    await assert.rejects(runCommand(surroundings([], {}), ["--reference", text]), {
      name: "UsageError",
      message: `invalid value "${text}" for --reference: allowed is NAME=BINARY, such as gcc=./schbench-gcc`,
    });
  });
}

test("a tool's output and exit code are collected; one that is not there is told apart", async () => {
  const script = "process.stdout.write('out'); process.stderr.write('err'); process.exitCode = 3";
  assert.deepEqual(await runTool(process.execPath, ["-e", script]), {
    kind: "ended",
    code: 3,
    stdout: "out",
    stderr: "err",
  });
  assert.deepEqual(await runTool("./no-such-tool", []), { kind: "missing" });
});
