import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { parseCommand } from "../../../../src/cli/commands/parse-command.js";
import { ParseError, UsageError, UserError } from "../../../../src/errors.js";
import { parseOutput } from "../../../../src/parse/parse-output.js";
import { capturedIo } from "../../../helpers/fakes/captured-io.js";

const fixture = (name: string): string => resolve("test/fixtures/parse", name);

const invoke = async (argv: readonly string[], stdin = "") => {
  const { io, printed } = capturedIo(stdin);
  const code = await parseCommand.run(argv, io);
  return { code, ...printed() };
};

void test("files become an array of run results, in the order given", async () => {
  const files = [fixture("2021-12.txt"), fixture("json-2025-05-16.json")];
  const { code, stdout } = await invoke(files);
  assert.equal(code, 0);
  assert.deepEqual(
    JSON.parse(stdout),
    files.flatMap((file) => parseOutput(readFileSync(file, "utf8"), { file })),
  );
});

void test("what it prints as JSON or lines, it reads again", async () => {
  const file = fixture("2023-04-11-two-runs.txt");
  const { stdout } = await invoke([file]);
  for (const format of ["json", "ndjson"]) {
    const printed = await invoke(["--format", format, file]);
    assert.equal((await invoke(["-"], printed.stdout)).stdout, stdout);
  }
});

void test("each run is one line of ndjson", async () => {
  const { stdout } = await invoke(["--format=ndjson", fixture("2023-04-11-two-runs.txt")]);
  assert.equal(stdout.trim().split("\n").length, 2);
});

void test("as text, results come in today's layout", async () => {
  const { stdout } = await invoke(["--format", "text", fixture("2023-04-11-pipe.txt")]);
  assert.match(
    stdout,
    /^Wakeup Latencies percentiles \(usec\) runtime 30 \(s\) \(900000 total samples\)\n\t {2}20\.0th: 3 {10}/,
  );
  assert.match(stdout, /avg worker transfer: 41234\.56 ops\/sec 161\.07MB\/s\n$/);
});

void test("several results as text are told apart by place and era", async () => {
  const file = fixture("2023-04-11-two-runs.txt");
  const { stdout } = await invoke(["--format", "text", file]);
  assert.deepEqual(
    stdout.split("\n").filter((line) => line.startsWith("# ")),
    [`# ${file}:4 (2023-04-11)`, `# ${file}:51 (2023-04-11)`],
  );
});

void test("without a file it reads standard input, and warns on stderr", async () => {
  const { stdout, stderr } = await invoke([], readFileSync(fixture("2025-05-overflow.txt"), "utf8"));
  assert.match(stdout, /"runtime-overflow"/);
  assert.match(stderr, /^-:1 \(2025-05\): warning: the run says 4296 s but ran about 2 s/m);
});

void test("a file that is not there, or is a directory, is a user's error", async () => {
  const folder = mkdtempSync(join(tmpdir(), "schbench-ts-"));
  try {
    await assert.rejects(
      invoke([join(folder, "none")]),
      (error) => error instanceof UserError && /no such file/.test(error.message),
    );
    await assert.rejects(invoke([folder]), (error) => error instanceof UserError && /directory/.test(error.message));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

void test("a damaged file among others is said on stderr, does not hide them, and makes the exit code 1", async () => {
  const folder = mkdtempSync(join(tmpdir(), "schbench-ts-"));
  try {
    const bad = join(folder, "bad.txt");
    writeFileSync(bad, "no schbench here\n");
    const [first, last] = [fixture("2021-12.txt"), fixture("json-2025-05-16.json")];
    const { code, stdout, stderr } = await invoke([first, bad, join(folder, "none"), last]);
    assert.equal(code, 1);
    assert.equal(stdout, (await invoke([first, last])).stdout);
    const errors = stderr.split("\n").filter((line) => line.startsWith("schbench-ts: "));
    assert.deepEqual(errors, [
      `schbench-ts: ${bad}:1: not an output of schbench: no table of percentiles and no JSON result was found`,
      `schbench-ts: cannot read "${join(folder, "none")}": there is no such file`,
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

void test("with every file damaged nothing is printed, and a single one is an error of the command", async () => {
  const bad = fixture("../../codegen");
  const { code, stdout, stderr } = await invoke([bad, bad]);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.equal(stderr.split("schbench-ts: ").length, 3);
  await assert.rejects(invoke([bad]), UserError);
  await assert.rejects(invoke([], "no schbench here\n"), ParseError);
});

void test("an unknown format is refused", async () => {
  await assert.rejects(invoke(["--format", "xml"]), UsageError);
});

void test("lines of JSON are read one by one, as the whole text would be", async () => {
  const folder = mkdtempSync(join(tmpdir(), "schbench-lines-"));
  const upstream = JSON.stringify(JSON.parse(readFileSync(fixture("json-2025-05-16.json"), "utf8")));
  const ours = (await invoke(["--format", "ndjson", fixture("2021-12.txt")])).stdout.trim();
  for (const [name, text] of [
    ["lines", `${ours}\n\n${upstream}\n`],
    ["lines-without-end", `${ours}\n${upstream}`],
    ["windows", `${ours}\r\n${upstream}\r\n`],
    ["with-text-between", `${ours}\nand now the other one\n${upstream}\n`],
    ["on-several-lines", `${ours}\n${JSON.stringify(JSON.parse(upstream), null, 1)}\n${ours}\n`],
  ] as const) {
    const path = join(folder, name);
    writeFileSync(path, text);
    const { stdout } = await invoke([path]);
    assert.deepEqual(JSON.parse(stdout), parseOutput(text, { file: path }), name);
  }
  rmSync(folder, { recursive: true });
});

void test("an array is printed as a whole would be, run by run", async () => {
  const { stdout } = await invoke([fixture("2023-04-11-two-runs.txt")]);
  assert.equal(stdout, `${JSON.stringify(JSON.parse(stdout), null, 2)}\n`);
});
