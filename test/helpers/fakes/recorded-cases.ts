/**
 * Command lines against made-up subjects, held against what is recorded: exit code, standard output, standard error, and
 * what was started in which order. UPDATE_GOLDEN=1 writes the expected files anew; look at the difference before you commit it.
 */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "node:test";
import { type FakeBench, fakeBench } from "./fake-bench.js";

type Words = Parameters<FakeBench["run"]>;

/** Command lines, and what they work on. */
export interface RecordedCase {
  /** Also the name of the recorded file. */
  readonly name: string;
  /** Subjects beside `engine`: name and settings. */
  readonly fakes?: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  /** Files that are there: name and text. */
  readonly files?: Readonly<Record<string, string>>;
  /** Command lines, one after the other in the same folder, which they call `{}`. */
  readonly lines: readonly Words[];
}

const transcript = async ({ fakes = {}, files = {}, lines }: RecordedCase): Promise<string> => {
  const bench = fakeBench();
  try {
    for (const [name, settings] of Object.entries(fakes)) bench.fake(name, settings);
    for (const [name, text] of Object.entries(files)) writeFileSync(resolve(bench.folder, name), text);
    const parts: string[] = [];
    for (const [command, words] of lines) {
      const { code, stdout, stderr } = await bench.run(command, words);
      const log = bench.log();
      parts.push(
        `$ schbench-ts ${[command, ...words].join(" ")}\n`,
        stdout === "" ? "" : `--- stdout\n${stdout}`,
        stderr === "" ? "" : `--- stderr\n${stderr}`,
        log.length === 0 ? "" : `--- started\n${log.join("\n")}\n`,
        `--- exit ${code}\n\n`,
      );
    }
    return bench.normal(parts.join(""));
  } finally {
    bench.remove();
  }
};

const expected = resolve("test/golden/expected/experiment");

/** A test for each case. */
export const recordedCases = (title: string, cases: readonly RecordedCase[]): void =>
  void describe(title, { concurrency: 2 }, () => {
    for (const one of cases)
      void it(`${one.name} prints what is recorded`, async () => {
        const text = await transcript(one);
        const path = resolve(expected, `${one.name}.txt`);
        if (process.env["UPDATE_GOLDEN"] === "1") {
          mkdirSync(expected, { recursive: true });
          writeFileSync(path, text);
        }
        assert.equal(text, readFileSync(path, "utf8"));
      });
  });
