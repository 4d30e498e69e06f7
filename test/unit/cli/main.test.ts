import assert from "node:assert/strict";
import { test } from "node:test";
import type { Io } from "../../../src/cli/io/command.js";
import { type CommandEntry, COMMANDS } from "../../../src/cli/command-list.js";
import { main } from "../../../src/cli/main.js";
import { EXIT, UserError } from "../../../src/errors.js";
import { tableFaults } from "../../../src/options/line/option-table.js";
import { globalOptions } from "../../../src/cli/options/global-options.js";

/** Runs a command line with its own streams, and commands of its own if given. */
const invokeIn = async (interrupted: AbortSignal, argv: readonly string[], commands?: readonly CommandEntry[]) => {
  const written = { stdout: "", stderr: "" };
  const sink = (name: "stdout" | "stderr") => ({
    write: (text: string) => {
      written[name] += text;
    },
    isTerminal: false,
    columns: undefined,
  });
  const io: Io = {
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    stdin: () => process.stdin,
    atOnce: (work) => work(),
    env: {},
    interrupted,
  };
  const code = await main(argv, io, commands);
  return { code, ...written };
};

const invoke = (...argv: string[]) => invokeIn(new AbortController().signal, argv);

/** A list of one command that throws. */
const failing = (thrown: unknown): readonly CommandEntry[] => [
  {
    name: "fail",
    load: () =>
      Promise.resolve({
        command: { name: "fail", summary: "fails", run: () => Promise.reject(thrown) },
        options: [],
      }),
  },
];

for (const argv of [["--help"], ["-h"], ["-m", "0", "--help"], ["help"]])
  void test(`${argv.join(" ")} shows the overview on standard output with exit code 0`, async () => {
    const { code, stdout, stderr } = await invoke(...argv);
    assert.equal(code, EXIT.ok);
    assert.equal(stderr, "");
    assert.match(stdout, /^schbench-ts: .*\n\nUsage: schbench-ts \[run\] \[OPTIONS\]\n/);
  });

for (const argv of [
  ["run", "--help"],
  ["help", "run"],
  ["run", "-h", "-m", "0"],
])
  void test(`${argv.join(" ")} shows the help of one command`, async () => {
    const { code, stdout } = await invoke(...argv);
    assert.equal(code, EXIT.ok);
    assert.match(stdout, /^schbench-ts run: /);
    assert.doesNotMatch(stdout, /^Commands:/m);
  });

void test("help explains topics too", async () => {
  assert.match((await invoke("help", "pinning")).stdout, /^pinning: /);
  assert.match((await invoke("help", "exit-codes")).stdout, /^ +130 {2}ended early by SIGINT/m);
});

void test("--version prints name and version on standard output", async () => {
  for (const spelling of ["--version", "-V"]) {
    const { code, stdout } = await invoke(spelling);
    assert.equal(code, EXIT.ok);
    assert.match(stdout, /^schbench-ts \d+\.\d+\.\d+\n/);
  }
});

// Ten wrong command lines and what each of them says.
for (const [argv, stderr] of [
  [
    ["-m", "0"],
    'schbench-ts: invalid value "0" for -m: allowed is a whole number from 1 to 4194304\nSee schbench-ts --help.\n',
  ],
  [["-x"], 'schbench-ts: unknown option "-x"\nSee schbench-ts --help.\n'],
  [["--runtim", "3"], 'schbench-ts: unknown option "--runtim"\nDid you mean --runtime?\nSee schbench-ts --help.\n'],
  [["10"], 'schbench-ts: unexpected argument "10": none is allowed here\nSee schbench-ts --help.\n'],
  [["run", "-r"], "schbench-ts: option -r needs a value, SEC\nSee schbench-ts run --help.\n"],
  [
    ["--json", "-L"],
    'schbench-ts: option --json needs a value, FILE, but "-L" follows, which is an option\n' +
      "A value that starts with a dash is written --json=-L.\nSee schbench-ts --help.\n",
  ],
  [["-r", "1", "extra"], 'schbench-ts: unexpected argument "extra": none is allowed here\nSee schbench-ts --help.\n'],
  [
    ["completions"],
    "schbench-ts: a SHELL is missing: allowed is one of bash, zsh, fish\nSee schbench-ts completions --help.\n",
  ],
  [
    ["completions", "tcsh"],
    'schbench-ts: no completions for "tcsh": allowed is one of bash, zsh, fish\nSee schbench-ts completions --help.\n',
  ],
  [["--no-locking=1"], 'schbench-ts: option --no-locking takes no value, but "1" was given\nSee schbench-ts --help.\n'],
] as const)
  void test(`${argv.join(" ")} ends with exit code 1 and one clear message`, async () => {
    assert.deepEqual(await invoke(...argv), { code: EXIT.failure, stdout: "", stderr });
  });

void test("a word that is almost a command is answered with that command", async () => {
  const { code, stderr } = await invoke("completion", "bash");
  assert.equal(code, EXIT.failure);
  assert.match(
    stderr,
    /^schbench-ts: unknown command "completion": allowed is one of run, .*\nDid you mean completions\?\n/,
  );
});

void test("an option without its dashes is answered with the option", async () => {
  const { code, stderr } = await invoke("explain", "-t", "1");
  assert.equal(code, EXIT.failure);
  assert.match(stderr, /^schbench-ts: unknown command "explain": .*\nDid you mean --explain\?\n/);
});

void test("a subject that help does not know is answered with the nearest", async () => {
  const { code, stderr } = await invoke("help", "pining");
  assert.equal(code, EXIT.failure);
  assert.match(stderr, /^schbench-ts: no help on "pining": allowed is .*\nDid you mean pinning\?\n/);
  assert.match((await invoke("help", "constructor")).stderr, /^schbench-ts: no help on "constructor"/);
});

void test("only --debug shows a stack trace", async () => {
  assert.doesNotMatch((await invoke("-m", "0")).stderr, /^ {4}at /m);
  assert.match((await invoke("-m", "0", "--debug")).stderr, /^ {4}at /m);
});

void test("an error of the user's is told with its remedy, without pointing at the help", async () => {
  const { signal } = new AbortController();
  assert.deepEqual(await invokeIn(signal, ["fail"], failing(new UserError('no file "x"', "Give another."))), {
    code: EXIT.failure,
    stdout: "",
    stderr: 'schbench-ts: no file "x"\nGive another.\n',
  });
});

void test("a fault of our own is said to be one", async () => {
  const { signal } = new AbortController();
  const { code, stderr } = await invokeIn(signal, ["fail"], failing(new TypeError("x is not a function")));
  assert.equal(code, EXIT.failure);
  assert.equal(
    stderr,
    "schbench-ts: x is not a function\nThis is a bug in schbench-ts; --debug shows where it happened.\n",
  );
});

for (const reason of [EXIT.interrupted, EXIT.terminated])
  void test(`an interrupted command ends with exit code ${reason}, silently if that was all`, async () => {
    const controller = new AbortController();
    controller.abort(reason);
    const abort = new DOMException("aborted", "AbortError");
    for (const thrown of [abort, reason])
      assert.deepEqual(await invokeIn(controller.signal, ["fail"], failing(thrown)), {
        code: reason,
        stdout: "",
        stderr: "",
      });
    const { code, stderr } = await invokeIn(controller.signal, ["fail"], failing(new UserError("tear-down failed")));
    assert.deepEqual([code, stderr], [reason, "schbench-ts: tear-down failed\n"]);
  });

void test("global options behind two dashes belong to the command", async () => {
  const { code, stderr } = await invoke("--", "--help");
  assert.equal(code, EXIT.failure);
  assert.match(stderr, /unexpected argument "--help"/);
});

void test("every command has the name of its entry, one line of summary, and a table without faults", async () => {
  for (const { name, load } of COMMANDS) {
    const { command, options } = await load();
    assert.equal(command.name, name);
    assert.match(command.summary, /^[^\n]+[^.\n]$/);
    assert.deepEqual(tableFaults([...options, ...globalOptions]), [], name);
  }
});
