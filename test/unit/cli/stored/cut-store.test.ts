import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { compareCommand } from "../../../../src/cli/commands/compare-command.js";
import { mergeCommand } from "../../../../src/cli/commands/merge-command.js";
import { parseCommand } from "../../../../src/cli/commands/parse-command.js";
import { reportCommand } from "../../../../src/cli/commands/report-command.js";
import { validateCommand } from "../../../../src/cli/commands/validate-command.js";
import type { Command } from "../../../../src/cli/io/command.js";
import { capturedIo } from "../../../helpers/fakes/captured-io.js";
import { cellNamed, engineSubject, external, storeText } from "../../../helpers/fakes/fake-store.js";
import { fakeRun } from "../../../helpers/render/render-results.js";

const folder = mkdtempSync(join(tmpdir(), "schbench-cut-"));
after(() => rmSync(folder, { recursive: true }));

const store = (kind: "ab" | "validate"): string =>
  storeText(
    {
      kind,
      subjects: [external("a"), engineSubject("b")],
      cells: [cellNamed("default", { flags: ["-m", "1"], runtimeSec: 2 })],
    },
    (subject) =>
      Array.from({ length: 3 }, (_, round) =>
        fakeRun({ seed: 10 * subject + round, seconds: 2, requestUsec: 5000, startedAt: null }),
      ),
  );

const READERS: readonly (readonly [command: Command, kind: "ab" | "validate", words: readonly string[]])[] = [
  [compareCommand, "ab", []],
  [mergeCommand, "ab", ["--subject", "a"]],
  [parseCommand, "ab", []],
  [reportCommand, "ab", ["-o", "-"]],
  [validateCommand, "validate", ["--no-code", "--from"]],
];

for (const [command, kind, words] of READERS)
  test(`${command.name} leaves out the last line of a store that is cut off, and says so`, async () => {
    const whole = store(kind);
    for (const [name, text, isCut] of [
      ["whole", whole, false],
      ["cut", whole.slice(0, -50), true],
    ] as const) {
      const path = join(folder, `${kind}-${name}.ndjson`);
      writeFileSync(path, text);
      const { io, printed } = capturedIo();
      await command.run([...words, path], io);
      const { stdout, stderr } = printed();
      assert.notEqual(stdout, "");
      assert.equal(stderr.includes(`warning: the last line of ${path} is cut off; its run is left out\n`), isCut);
    }
  });
