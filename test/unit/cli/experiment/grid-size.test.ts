import assert from "node:assert/strict";
import { test } from "node:test";
import { type AskedCells, variedCells } from "../../../../src/cli/experiment/varied-cells.js";
import { plainSubject } from "../../../../src/experiment/subject.js";

const ours = (name: string) => plainSubject(name, { kind: "engine", node: null });

const asked = (vary: readonly string[], more: Partial<AskedCells> = {}): AskedCells => ({
  vary,
  flags: ["-m", "1", "-r", "2"],
  subjects: [ours("a"), ours("b")],
  machine: undefined,
  rounds: 10,
  large: false,
  ...more,
});

const SHRINK = /^Give fewer values .* fewer --runs or a shorter -r after the --\. Or make them all with --large\.$/;

const IMPOSSIBLE = /At most 100000 settings are possible\.$/;

for (const [vary, words] of [
  // Steps, lists, doubling, switches, and their products.
  [["s=0..100000+100"], '"s=0..100000+100" asks for 1001 settings: 20020 runs, about 13 h 54 min'],
  [["s=1..1000000+1"], '"s=1..1000000+1" asks for 1000000 settings: 20000000 runs, about 579 days'],
  [
    ["s=1..512", `n=${Array.from({ length: 60 }, (_, index) => index + 1).join(",")}`],
    `"s=1..512" --vary "n=${Array.from({ length: 60 }, (_, index) => index + 1).join(",")}" asks for 600 settings: 12000 runs, about 8 h 20 min`,
  ],
  [
    ["L=off,on", "s=1..1000+1"],
    '"L=off,on" --vary "s=1..1000+1" asks for 2000 settings: 40000 runs, about 27 h 46 min',
  ],
] as const)
  void test(`a grid of --vary ${vary.join(" --vary ").slice(0, 40)} is refused in one line: how many runs, how long, and how to get less or all of it`, () => {
    assert.throws(
      () => variedCells(asked(vary)),
      ({ name, message, remedy }: { name: string; message: string; remedy: string }) => {
        assert.equal(name, "UsageError");
        assert.equal(message, `--vary ${words}`);
        assert.match(remedy, message.includes("1000000 ") ? IMPOSSIBLE : SHRINK);
        return true;
      },
    );
  });

void test("--large makes it all the same, but for what could not be laid out", () => {
  assert.equal(variedCells(asked(["s=0..100000+100"], { large: true })).cells.length, 1001);
  assert.throws(() => variedCells(asked(["s=1..1000000+1"], { large: true })), {
    remedy: IMPOSSIBLE,
  });
});

void test("few settings of long runs are refused as well, and many of an ordinary experiment are not", () => {
  assert.throws(() => variedCells(asked(["s=1..64"], { flags: ["-r", "900"] })), /7 settings: 140 runs, about 35 h/);
  assert.equal(variedCells(asked(["t=1..64", "F=64,256"])).cells.length, 14);
  // One setting is no grid: its runs were asked for one by one.
  assert.equal(variedCells(asked([], { flags: ["-r", "90000"] })).cells.length, 1);
});

void test("a setting with more threads than this machine can have is refused before the first run", () => {
  assert.throws(
    () => variedCells(asked(["t=1..100000000"])),
    ({ message, remedy }: { message: string; remedy: string }) => {
      assert.match(message, /^-m 1 -r 2 -t \d+: cannot start \d+ threads: /);
      assert.match(remedy, /^Give smaller values\. /);
      return true;
    },
  );
});
