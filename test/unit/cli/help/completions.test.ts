import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

/** What bash offers for the last word; null where there is no bash. */
const offered = (...words: readonly string[]): readonly string[] | null => {
  const script = `source completions/schbench-ts.bash
    COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMPREPLY=(); _schbench_ts; printf '%s\n' "\${COMPREPLY[@]}"`;
  const { status, stdout } = spawnSync("bash", ["-c", script, "bash", "schbench-ts", ...words], { encoding: "utf8" });
  return status === 0 ? stdout.trim().split("\n") : null;
};
const skip = spawnSync("bash", ["--version"]).status === 0 ? false : "there is no bash";

void test("behind -- the options of a run are offered, and before it those of the command", { skip }, () => {
  assert.deepEqual(offered("ab", "--subject", "a", "--", "--sle"), ["--sleep-usec", "--sleep_usec"]);
  assert.deepEqual(offered("ab", "--sub"), ["--subject"]);
  assert.deepEqual(offered("ab", "--", "--sub"), [""]);
  assert.deepEqual(offered("parse", "--", "--sle"), [""]);
});

void test("--vary offers what can be varied", { skip }, () => {
  const words = offered("sweep", "--vary", "") ?? [];
  for (const word of ["t=", "F=", "L=", "split="]) assert.ok(words.includes(word), word);
});
