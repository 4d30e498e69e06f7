import assert from "node:assert/strict";
import { test } from "node:test";
import { wordsWithin } from "../../../../src/options/values/shell-words.js";
import { commandFacts, commandIn } from "../../../../src/parse/result/command-words.js";

for (const [line, words] of [
  ["$ ./schbench -F 256 -n 5", ["./schbench", "-F", "256", "-n", "5"]],
  ["2023-05-02 10:00:00 /opt/bin/schbench -m1", ["/opt/bin/schbench", "-m1"]],
  ["user@box:~# numactl -N 0 ./schbench-gcc --json out.json", ["./schbench-gcc", "--json", "out.json"]],
  ["$ schbench", ["schbench"]],
  ["schbench", ["schbench"]],
  [`$ schbench -J "two words" -r'1'0`, ["schbench", "-J", "two words", "-r10"]],
  ["here's what it's worth: ./schbench -J don't -r 3", ["./schbench", "-J", "don't", "-r", "3"]],
  ["./schbench -J it's -r 3", ["./schbench", "-J", "it's", "-r", "3"]],
] as const)
  void test(`"${line}" shows a command`, () => assert.deepEqual(commandIn(line), words));

for (const line of [
  "running schbench now",
  "git clone schbench",
  "schbench measures wakeups",
  "make schbench.c",
  "",
  "cd schbench",
])
  void test(`"${line}" shows none`, () => assert.equal(commandIn(line), null));

for (const [line, mode, requestsPerSec, autoBusyPercent] of [
  ["schbench -r 10", "closed-loop", null, null],
  ["schbench -R 500", "rate", 500, null],
  ["schbench -LR500 -t2", "rate", 500, null],
  ["schbench --rps=500", "rate", 500, null],
  ["schbench --rps 500", "rate", 500, null],
  ["schbench -R 0", "closed-loop", 0, null],
  ["schbench -A 50 -m 2", "rate", null, 50],
  ["schbench --auto-rps 50 -R 10", "rate", 10, 50],
  ["schbench -p 4096", "pipe", null, null],
  ["schbench -p64k", "pipe", null, null],
  ["schbench --pipe=1", "pipe", null, null],
  ["schbench -J -Rough -r 3", "closed-loop", null, null],
] as const)
  void test(`"${line}" is ${mode}`, () => {
    assert.deepEqual(commandFacts(wordsWithin(line)), { mode, requestsPerSec, autoBusyPercent });
  });
