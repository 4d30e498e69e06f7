import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { dirname, relative } from "node:path";
import { test } from "node:test";
import { PACKAGE_FILES } from "../../../src/package-files.js";
import { fakeRun } from "../../helpers/render/render-results.js";

const dataUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

/** Starts the built command, lets `meddle` do something to it, and waits for its end. */
const ended = async (argv: readonly string[], meddle: (child: ReturnType<typeof spawn>) => void) => {
  const child = spawn(process.execPath, [PACKAGE_FILES.command, ...argv], { stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  meddle(child);
  const [code] = await once(child, "close");
  return { code, stderr };
};

void test("what a reader of standard output did not wait for is lost: exit code 1 and a line", async () => {
  const { code, stderr } = await ended(["--help"], ({ stdout }) => stdout?.destroy());
  assert.deepEqual([code, stderr], [1, "schbench-ts: cannot write to standard output: its reader has gone away\n"]);
});

/** What a shell line around the built command leaves behind; `$0` is Node, `$1` the command. */
const shell = (line: string) =>
  spawnSync("sh", ["-c", line, process.execPath, PACKAGE_FILES.command], { encoding: "utf8" });

void test("a report that standard error does not take is lost: exit code 1, and a line where nothing else stands", () => {
  const silent = shell('"$0" "$1" -m 1 -t 1 -n 0 -r 1 2>/dev/full');
  assert.equal(silent.status, 1);
  assert.equal(silent.stdout, "schbench-ts: cannot write to standard error: the disk is full\n");
  const withJson = shell('"$0" "$1" -m 1 -t 1 -n 0 -r 1 -j - 2>/dev/full');
  assert.equal(withJson.status, 1);
  assert.doesNotThrow(() => JSON.parse(withJson.stdout));
});

void test("a result for a standard output that is closed is refused before anything runs", () => {
  const { status, stderr } = shell('"$0" "$1" -m 1 -t 1 -n 0 -r 1 -j - >&-');
  assert.equal(status, 1);
  assert.match(stderr, /^schbench-ts: cannot write to "-": standard output is closed\n/);
  assert.equal(shell('"$0" "$1" -m 1 -t 1 -n 0 -r 1 -j - >/dev/null').status, 0);
});

for (const words of ["help", "--version", "completions bash", "doctor", "codegen"])
  void test(`${words}: output for a standard output that is closed is lost, exit code 1 and a line`, () => {
    const { status, stderr } = shell(`"$0" "$1" ${words} >&-; exit $?`);
    assert.equal(status, 1);
    assert.match(stderr, /schbench-ts: cannot write to standard output: it is closed\n$/);
  });

for (const line of ["2>&-", "--quiet 2>&-", "-j /dev/null 2>&-"])
  void test(`a run with ${line} is refused: its report would be lost`, () => {
    const { status, stdout } = shell(`"$0" "$1" -m 1 -t 1 -r 1000 ${line}; exit $?`);
    assert.deepEqual([status, stdout], [1, "schbench-ts: cannot write to standard error: it is closed\n"]);
  });

void test("an experiment whose verdict would be lost is refused before it begins", () => {
  const { status, stderr } = shell('"$0" "$1" ab --subject a --subject b -o /dev/null -- -r 1000 >&-; exit $?');
  assert.equal(status, 1);
  assert.match(stderr, /cannot write the report: standard output is closed\nLeave it open, or send it to/);
});

void test("output that the starting program throws away is no fault, whichever way it does so", () => {
  const ignored = spawnSync(process.execPath, [PACKAGE_FILES.command, "help"], { stdio: "ignore" });
  assert.equal(ignored.status, 0);
  // Node's own "ignore" opens /dev/null for reading and writing: a script that it starts hands it on.
  const script = spawnSync("sh", ["-c", '"$0" "$1" help; exit $?', process.execPath, PACKAGE_FILES.command], {
    stdio: "ignore",
  });
  assert.equal(script.status, 0);
  assert.equal(shell('"$0" "$1" help >/dev/null; exit $?').status, 0);
});

for (const [files, words] of [
  [21, "ab --subject a --subject b --runs 1 -o /dev/null -- -r 1000"],
  [21, "codegen"],
] as const)
  void test(`with ${files} open files, "${words}" says which limit that is`, () => {
    const { status, stderr } = shell(`ulimit -n ${files}; "$0" "$1" ${words}`);
    assert.equal(status, 1);
    assert.match(stderr, /too many files are open/);
    assert.match(stderr, /\nRaise the limit of this process: ulimit -n 1024\.\n$/);
  });

void test("worker threads of the v8 engine that may open no files are refused with the limit, not as threads that died", () => {
  const { status, stderr } = shell('ulimit -n 40; "$0" "$1" --engine v8 -m 1 -t 60 -n 0 -r 1');
  assert.equal(status, 1);
  assert.match(
    stderr,
    /cannot start all threads: each needs some open files[^\n]*\nRaise ulimit -Hn to eight for each/,
  );
});

void test("control characters of a name reach no stream, and JSON keeps them", () => {
  const escaped = shell('"$0" "$1" -m 1 -t 1 -n 0 -r 1 -J "a$(printf "\\033]0;x\\007\\302\\233")b" -j -');
  for (const character of ["\u001b", "\u0007", "\u009b"])
    assert.equal((escaped.stdout + escaped.stderr).includes(character), false);
  const document: unknown = JSON.parse(escaped.stdout);
  assert.match(JSON.stringify(document), /"jobname":"a\\u001b\]0;x\\u0007\u009bb"/);
});

void test("a reader of standard error that leaves early does not change the exit code", async () => {
  const { code } = await ended(["-m", "0"], ({ stderr }) => stderr?.destroy());
  assert.equal(code, 1);
});

void test("a wrong command line ends the process with exit code 1 before anything runs", async () => {
  const { code, stderr } = await ended(["-p", "64q"], () => undefined);
  assert.equal(code, 1);
  assert.match(stderr, /^schbench-ts: invalid value "64q" for -p: /);
});

void test("standard input is there once: a second dash is an error, not an empty input", async () => {
  const child = spawn(process.execPath, [PACKAGE_FILES.command, "parse", "-", "-"], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  child.stdin.end(JSON.stringify(fakeRun({ seed: 1, seconds: 1, requestUsec: 5000, startedAt: null })));
  const [code] = await once(child, "close");
  assert.equal(code, 1);
  assert.match(stderr, /^schbench-ts: cannot read "-" twice/);
});

void test("a directory as standard input is no empty input", () => {
  const directory = openSync("/", "r");
  const { status, stderr } = spawnSync(process.execPath, [PACKAGE_FILES.command, "parse", "-"], {
    stdio: [directory, "ignore", "pipe"],
    encoding: "utf8",
  });
  closeSync(directory);
  assert.equal(status, 1);
  assert.match(stderr, /^schbench-ts: cannot read "-": it is a directory/);
});

void test("output that cannot be written is a failure with its reason", async () => {
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [PACKAGE_FILES.command, "--help"], { stdio: ["ignore", full, "pipe"] });
  closeSync(full);
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const [code] = await once(child, "close");
  assert.equal(code, 1);
  assert.match(stderr, /^schbench-ts: cannot write to standard output: the disk is full\n/);
});

/** Node options that make the process name every file it has loaded, on standard error. */
const NAMING_FILES = [
  "--import",
  dataUrl(
    'import { createRequire } from "node:module"; import { writeSync } from "node:fs"; const { cache } = createRequire("/");' +
      'process.on("exit", () => Object.keys(cache).forEach((file) => writeSync(2, "loads " + file + "\\n")));',
  ),
];

/** Names of the files of the command that are loaded, and paths of those elsewhere. */
const loadedBy = async (...argv: readonly string[]) => {
  const child = spawn(process.execPath, [...NAMING_FILES, PACKAGE_FILES.command, ...argv], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  await once(child, "close");
  const folder = dirname(PACKAGE_FILES.command);
  return [...stderr.matchAll(/^loads (.*)$/gm)].map(([, file = ""]) => relative(folder, file)).toSorted();
};

void test("on the way to a run two files and koffi are loaded, no other command and no library of theirs", async () => {
  // The engine is loaded, then refuses what no machine has the memory for.
  const loaded = await loadedBy("-m", "1", "-t", "1", "-F", "4000000000");
  const ours = loaded.filter((file) => !file.includes("node_modules"));
  assert.deepEqual(ours, ["bin.cjs", "engine.cjs", "plan.cjs", "rolldown-runtime.cjs"]);
  assert.ok(loaded.length > ours.length);
  assert.deepEqual(
    loaded.filter((file) => !ours.includes(file) && !file.includes("koffi")),
    [],
  );
});

void test("a wrong command line is refused without koffi", async () => {
  assert.deepEqual(await loadedBy("-m", "0"), ["bin.cjs", "plan.cjs", "rolldown-runtime.cjs"]);
});
