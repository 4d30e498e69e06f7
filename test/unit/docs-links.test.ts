import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { COMMANDS } from "../../src/cli/command-list.js";
import { parseCommandLine } from "../../src/options/line/command-line.js";
import { runOptions } from "../../src/options/run/run-table.js";
import { splitWords } from "../../src/options/values/shell-words.js";

const root = new URL("../../..", import.meta.url).pathname;
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...readdirSync(`${root}docs`).map((name) => `docs/${name}`),
].filter((file) => file.endsWith(".md"));
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** GitHub's anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, "")
    .replaceAll(" ", "-");

const anchorsIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/^#+ (.*)$/gmu)].map(([, heading = ""]) => anchorOf(heading.replaceAll(/[`*]/gu, ""))));

for (const file of documents) {
  test(`every link in ${file} leads somewhere`, () => {
    const text = textOf(file);
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/gu)) {
      if (/^[a-z]+:/u.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      const at = path === "" ? file : join(dirname(file), path);
      assert.ok(existsSync(join(root, at)), `${file}: ${target}`);
      if (anchor !== undefined && at.endsWith(".md"))
        assert.ok(anchorsIn(textOf(at)).has(anchor), `${file}: no heading for ${target}`);
    }
  });

  test(`every command line of a run in ${file} is a valid one`, () => {
    const names = new Set(COMMANDS.map(({ name }) => name));
    for (const [line] of textOf(file).matchAll(/^(?:\$ )?schbench-ts [^\n]*$/gmu)) {
      const [command = ""] = line.replace(/^\$ /u, "").split(/ [|>#] ?| 2>| &&/u);
      const words = command.includes("'") || command.endsWith("\\") ? null : splitWords(command);
      const [first] = words?.slice(1) ?? [];
      if (words === null || first === undefined || names.has(first) || !first.startsWith("-")) continue;
      if (/^-(?:-help|h|-version|V|-debug)$/u.test(first)) continue;
      assert.doesNotThrow(() => parseCommandLine(words.slice(1), runOptions), `${file}: ${line}`);
    }
  });
}
