import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { globalOptions } from "../../src/cli/options/global-options.js";
import { generatedFiles } from "../../src/cli/help/help-files.js";
import { commandText, topicText } from "../../src/cli/help/help-text.js";
import { HELP_TOPICS } from "../../src/cli/help/help-topics.js";
import { commandBook, COMMANDS } from "../../src/cli/command-list.js";

const EXPECTED = "test/golden/expected/cli";

const assertGolden = (name: string, text: string): void => {
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(EXPECTED, { recursive: true });
    writeFileSync(`${EXPECTED}/${name}`, text);
  }
  assert.equal(text, readFileSync(`${EXPECTED}/${name}`, "utf8"));
};

for (const width of [80, 110])
  void test(`the help of a run is ${width} columns wide and reads as expected`, async () => {
    const text = commandText(await commandBook.page("run"), globalOptions, width);
    assert.ok(text.split("\n").every((line) => line.length <= width));
    assertGolden(`help-run-${width}.txt`, text);
  });

void test("the help of every command fits 80 columns, examples aside", async () => {
  for (const entry of COMMANDS) {
    const [text = ""] = commandText(await commandBook.page(entry.name), globalOptions, 80).split("\nExamples:\n");
    for (const line of text.split("\n")) assert.ok(line.length <= 80, `${entry.name}: ${line}`);
  }
});

for (const [name, topic] of Object.entries(HELP_TOPICS))
  void test(`the topic ${name} reads as expected`, () => {
    const text = topicText(name, topic, 80);
    for (const line of text.split("\n")) assert.ok(line.length <= 80, `too long: ${line}`);
    assertGolden(`topic-${name}.txt`, text);
  });

void test("docs, man page and completions agree with the option tables (node scripts/docs.mjs)", async () => {
  for (const { path, text } of await generatedFiles(commandBook))
    assert.ok(text === readFileSync(path, "utf8"), `${path} is stale: run node scripts/docs.mjs`);
});

/** What bash offers for the last word. */
const completions = (...words: string[]): readonly string[] => {
  const script = `source completions/schbench-ts.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _schbench_ts; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8" });
  assert.equal(stderr, "");
  return stdout.split("\n").filter((line) => line !== "");
};

void test("bash completes commands, options and values", () => {
  assert.deepEqual(completions("schbench-ts", "hel"), ["help"]);
  assert.deepEqual(completions("schbench-ts", "--pac"), ["--pacing"]);
  assert.deepEqual(completions("schbench-ts", "run", "--cache"), ["--cache-footprint", "--cache_footprint"]);
  assert.deepEqual(completions("schbench-ts", "-L", "--pacing", ""), ["paced", "burst"]);
  assert.deepEqual(completions("schbench-ts", "--pacing", "=", "b"), ["burst"]);
  assert.deepEqual(completions("schbench-ts", "--engine", "="), ["auto", "native", "v8"]);
  assert.deepEqual(completions("schbench-ts", "-M", "a"), ["auto"]);
  assert.deepEqual(completions("schbench-ts", "-m", ""), []);
  assert.deepEqual(completions("schbench-ts", "completions", ""), ["bash", "zsh", "fish"]);
  assert.deepEqual(completions("schbench-ts", "help", "pin"), ["pinning"]);
  assert.deepEqual(completions("schbench-ts", "sweep", "--metrics", "wakeup-p9"), [
    "wakeup-p90",
    "wakeup-p99",
    "wakeup-p99.9",
  ]);
  assert.deepEqual(completions("schbench-ts", "--json", "package.j"), ["package.json"]);
});
