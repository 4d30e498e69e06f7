import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../../../../src/errors.js";
import { NO_WORDS, parseCommandLine } from "../../../../src/options/line/command-line.js";
import { remedyFor } from "../../../../src/options/values/suggest.js";
import type { OptionTable } from "../../../../src/options/line/option-table.js";

const table = [
  {
    id: "count",
    kind: "count",
    short: "m",
    long: ["message-threads"],
    group: "g",
    meaning: "a count",
    min: 1,
    default: 1,
  },
  { id: "interval", kind: "seconds", short: "i", long: ["interval"], group: "g", meaning: "signed", min: -5, max: 100 },
  {
    id: "noise",
    kind: "percent",
    long: ["noise"],
    group: "g",
    meaning: "decimals",
    min: 0,
    decimals: true,
    default: 2.5,
  },
  {
    id: "footprint",
    kind: "kib",
    short: "F",
    long: ["cache-footprint", "cache_footprint"],
    group: "g",
    meaning: "size",
    min: 0,
  },
  { id: "pipe", kind: "bytes", short: "p", long: ["pipe"], group: "g", meaning: "size", min: 0 },
  { id: "locking", kind: "flag", short: "L", long: ["no-locking"], group: "g", meaning: "flag" },
  { id: "calibrate", kind: "flag", short: "C", long: ["calibrate"], group: "g", meaning: "flag" },
  {
    id: "pacing",
    kind: "choice",
    long: ["pacing"],
    group: "g",
    meaning: "choice",
    choices: ["paced", "burst"],
    default: "paced",
  },
  { id: "json", kind: "file", short: "j", long: ["json"], group: "g", meaning: "file" },
  { id: "subject", kind: "text", long: ["subject"], group: "g", meaning: "repeated", repeated: true },
  { id: "cpus", kind: "cpus", short: "M", long: ["message-cpus"], group: "g", meaning: "cpus", auto: true },
] as const satisfies OptionTable;

const optionsOf = (...argv: string[]) => parseCommandLine(argv, table).options;

void test("options that are not given have their default, null, false or an empty list", () => {
  assert.deepEqual(optionsOf(), {
    count: 1,
    interval: null,
    noise: 2.5,
    footprint: null,
    pipe: null,
    locking: false,
    calibrate: false,
    pacing: "paced",
    json: null,
    subject: [],
    cpus: null,
  });
});

void test("the types of the values follow from the table", () => {
  const options = optionsOf();
  const count: number = options.count;
  const interval: number | null = options.interval;
  const pacing: "paced" | "burst" = options.pacing;
  const subject: readonly string[] = options.subject;
  const cpus: readonly number[] | "auto" | null = options.cpus;
  const locking: boolean = options.locking;
  // @ts-expect-error an option without default may be null
  const json: string = options.json;
  // @ts-expect-error a choice is one of its words, not any text
  const word: "paced" = options.pacing;
  assert.deepEqual([count, interval, pacing, subject, cpus, locking, json, word].length, 8);
});

for (const [argv, id, value] of [
  [["-m", "2"], "count", 2],
  [["-m2"], "count", 2],
  [["--message-threads", "2"], "count", 2],
  [["--message-threads=2"], "count", 2],
  [["-m", "2", "-m3"], "count", 3],
  [["-i", "-1"], "interval", -1],
  [["-i-1"], "interval", -1],
  [["--interval=-1"], "interval", -1],
  [["--noise", "0.25"], "noise", 0.25],
  [["--cache-footprint", "512"], "footprint", 512],
  [["--cache_footprint=512"], "footprint", 512],
  [["-F1m"], "footprint", 1024],
  [["-F", "64k"], "footprint", 64],
  [["-p", "64k"], "pipe", 65536],
  [["-p1M"], "pipe", 1048576],
  [["-CL"], "locking", true],
  [["-LCm4"], "count", 4],
  [["-LCm", "4"], "count", 4],
  [["--pacing=burst"], "pacing", "burst"],
  [["--json", "-"], "json", "-"],
  [["-j-"], "json", "-"],
  [["--json=-L"], "json", "-L"],
  [["--subject", "a", "--subject=b=c"], "subject", ["a", "b=c"]],
  [["-M", "auto"], "cpus", "auto"],
  [["-M3,0-1"], "cpus", [0, 1, 3]],
] as const)
  void test(`${argv.join(" ")} sets ${id} to ${JSON.stringify(value)}`, () => {
    assert.deepEqual(optionsOf(...argv)[id], value);
  });

for (const [argv, message, remedy] of [
  [["-m", "0"], 'invalid value "0" for -m: allowed is a whole number, 1 or more'],
  [["-m", "-1"], 'invalid value "-1" for -m: allowed is a whole number, 1 or more'],
  [["--message-threads=2x"], 'invalid value "2x" for --message-threads: allowed is a whole number, 1 or more'],
  [["-m", "1.5"], 'invalid value "1.5" for -m: allowed is a whole number, 1 or more'],
  [["-m", ""], 'invalid value "" for -m: allowed is a whole number, 1 or more'],
  [["-m", "0x10"], 'invalid value "0x10" for -m: allowed is a whole number, 1 or more'],
  [["-m", "99999999999999999999"], 'invalid value "99999999999999999999" for -m: allowed is a whole number, 1 or more'],
  [["-i", "101"], 'invalid value "101" for -i: allowed is whole seconds from -5 to 100'],
  [["--noise", "101"], 'invalid value "101" for --noise: allowed is a percentage from 0 to 100'],
  [["-p", "64q"], 'invalid value "64q" for -p: allowed is bytes, 0 or more, with k or m if wanted (64k)'],
  [["--pacing", "fast"], 'invalid value "fast" for --pacing: allowed is one of paced, burst'],
  [["--json="], 'invalid value "" for --json: allowed is FILE, which is not empty'],
  [
    ["--json", "-L"],
    'option --json needs a value, FILE, but "-L" follows, which is an option',
    "A value that starts with a dash is written --json=-L.",
  ],
  [["-m", "-L"], 'option -m needs a value, N, but "-L" follows, which is an option'],
  [["-j"], "option -j needs a value, FILE"],
  [["-Lj"], "option -j needs a value, FILE"],
  [["--no-locking=yes"], 'option --no-locking takes no value, but "yes" was given'],
  [["-x"], 'unknown option "-x"'],
  [["-l"], 'unknown option "-l"', "Did you mean -L?"],
  [["-Lx"], 'unknown option "-x" in "-Lx"'],
  [["--mesage-threads", "2"], 'unknown option "--mesage-threads"', "Did you mean --message-threads?"],
  [["--MESSAGE_CPUS=1"], 'unknown option "--MESSAGE_CPUS"', "Did you mean --message-cpus?"],
  [["--calib"], 'unknown option "--calib"', "Did you mean --calibrate?"],
  [["--something-else"], 'unknown option "--something-else"'],
  [["-message-threads", "2"], 'unknown option "-message-threads"', "Did you mean --message-threads?"],
  [["extra"], 'unexpected argument "extra": none is allowed here'],
  [["--", "-m"], 'unexpected argument "-m": none is allowed here'],
] as const)
  void test(`${argv.join(" ")} is refused: ${message}`, () => {
    assert.throws(
      () => parseCommandLine(argv, table),
      (error) => {
        assert.ok(error instanceof UsageError);
        assert.deepEqual([error.message, remedyFor(error)], [message, remedy]);
        return true;
      },
    );
  });

void test("an option of a sibling that a command does not take is refused with the reason", () => {
  const allowed = { ...NO_WORDS, refused: { "--on": "It runs here." } };
  for (const argv of [["--on", "x"], ["--on=x"]])
    assert.throws(
      () => parseCommandLine(argv, table, allowed),
      new UsageError("--on does not go with this command", "It runs here."),
    );
});

void test("positional arguments may stand between options", () => {
  const parsed = parseCommandLine(["a", "-m", "2", "b", "--", "-c"], table, { name: "FILE", min: 1, max: Infinity });
  assert.deepEqual(parsed.positionals, ["a", "b", "-c"]);
  assert.equal(parsed.rest, null);
  assert.deepEqual([...parsed.given], ["count"]);
});

void test("a command may keep what follows two dashes apart", () => {
  const allowed = { name: "FILE", min: 0, max: 1, rest: "RUN-OPTIONS" };
  assert.deepEqual(parseCommandLine(["a", "--", "-m", "4"], table, allowed).rest, ["-m", "4"]);
  assert.deepEqual(parseCommandLine(["a", "--"], table, allowed).rest, []);
  assert.equal(parseCommandLine(["a"], table, allowed).rest, null);
});

void test("too many and too few arguments are named", () => {
  assert.throws(() => parseCommandLine(["a", "b"], table, { name: "FILE", min: 0, max: 1 }), {
    message: 'unexpected argument "b": at most 1 FILE allowed',
  });
  assert.throws(() => parseCommandLine([], table, { name: "FILE", min: 1, max: 1 }), { message: "a FILE is missing" });
  assert.throws(() => parseCommandLine(["a"], table, { name: "FILE", min: 2, max: 9 }), {
    message: "2 FILE arguments are needed, not 1",
  });
});
