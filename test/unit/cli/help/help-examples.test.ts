import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS } from "../../../../src/cli/command-list.js";
import { globalOptions } from "../../../../src/cli/options/global-options.js";
import { EXAMPLES } from "../../../../src/cli/help/help-examples.js";
import { splitWords } from "../../../../src/options/values/shell-words.js";
import { parseCommandLine } from "../../../../src/options/line/command-line.js";
import { resolveRun } from "../../../../src/options/run/run-options.js";
import { runOptions } from "../../../../src/options/run/run-table.js";
import { GRANTS_ALL } from "../../../helpers/fakes/grants-all.js";

const allowedCpus = [0, 1, 2, 3, 4, 5, 6, 7];

/** The words behind `schbench-ts` in a line of shell, without redirections. */
const wordsOf = (line: string): readonly string[] => {
  const own = /(?:^|\| )schbench-ts ([^|>]*)/.exec(line)?.[1];
  assert.ok(own !== undefined, `no schbench-ts in ${line}`);
  return splitWords(own);
};

for (const [name, examples] of Object.entries(EXAMPLES))
  for (const { line } of examples)
    void test(`the example "${line}" is a valid command line`, async () => {
      const words = wordsOf(line);
      const entry = COMMANDS.find((candidate) => candidate.name === name);
      assert.ok(entry !== undefined, `${name} is no command`);
      const { options } = await entry.load();
      const argv = name === "run" ? words : words.slice(1);
      if (name !== "run") assert.equal(words[0], name);
      const { rest } = parseCommandLine(argv, [...options, ...globalOptions], {
        name: "FILE",
        min: 0,
        max: 9,
        rest: "BENCHMARK-FLAGS",
      });
      const benchmark = name === "run" ? words : rest;
      if (benchmark !== null)
        resolveRun(parseCommandLine(benchmark, runOptions).options, {
          allowedCpus,
          refusalOf: () => null,
          ...GRANTS_ALL,
        });
    });
