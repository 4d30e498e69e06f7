/** kill -9 of whoever started benchmarks: nothing of theirs stays, at whatever moment it comes, and a run can be gone on with. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { PACKAGE_FILES } from "../../../src/package-files.js";

const folder = mkdtempSync(join(tmpdir(), "schbench-ts-"));
after(() => rmSync(folder, { recursive: true }));

/** A schbench under a wrapper, as `perf stat schbench` is: a child and a grandchild besides the program itself. */
const wrapped = join(folder, "wrapped");
writeFileSync(wrapped, "#!/bin/sh\n(sleep 500 & exec sleep 500) &\nsleep 500\n");
chmodSync(wrapped, 0o755);

const MARK = "SCHBENCH_TS_TEST_MARK";

/** Every process that has inherited a mark; zombies have no environment any more. */
const marked = (mark: string): readonly string[] =>
  readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`${MARK}=${mark}`);
    } catch {
      return false;
    }
  });

const commandLines = (pids: readonly string[]): string =>
  pids
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
      } catch {
        return "";
      }
    })
    .join("; ");

const LIBRARY_CALLER = `
const { runSchbench } = await import(${JSON.stringify(new URL("../../../src/index.js", import.meta.url).href)});
await runSchbench({ kind: "schbench", workerThreads: 2, sleepUsec: 100_000, runtimeSec: 400 }).result;
`;

/** Limits how long the test waits; everything it starts would run for minutes. */
const PATIENCE_MSEC = 20_000;

const until = async (holds: () => boolean, complaint: () => string): Promise<void> => {
  for (const end = Date.now() + PATIENCE_MSEC; !holds(); await sleep(20))
    if (Date.now() > end) assert.fail(complaint());
};

const start = (words: readonly string[], mark: string): ChildProcess =>
  spawn(process.execPath, words, {
    stdio: "ignore",
    cwd: folder,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, [MARK]: mark },
  });

/** Starts it, kills it after so long, waits until nothing of it is left; how many processes there were at the kill. */
const killAfter = async (words: readonly string[], msec: number): Promise<number> => {
  const mark = randomUUID();
  const child = start(words, mark);
  await sleep(msec);
  const before = marked(mark).length;
  child.kill("SIGKILL");
  await until(
    () => marked(mark).length === 0,
    () => `killed after ${msec} ms: still there are ${commandLines(marked(mark))}`,
  );
  return before;
};

let stores = 0;
const experiment = (subjects: readonly string[], more: readonly string[] = []): readonly string[] =>
  [
    [PACKAGE_FILES.command, "ab", "-o", join(folder, `${stores++}.ndjson`), "--warmup-runs", "0"],
    subjects.flatMap((subject) => ["--subject", subject]),
    more,
    ["--", "-t", "1", "-r", "400", "-i", "400", "-s", "100000"],
  ].flat();

/** Moments from before the first child to the middle of the first run; drawn anew each time. */
const moments = (count: number): readonly number[] => Array.from({ length: count }, () => Math.random() * 2500);

const CASES = {
  "ab of our engine": { times: 10, words: () => experiment(["a", "b"]) },
  "ab of a program under a wrapper": { times: 10, words: () => experiment([`a=${wrapped}`, `b=${wrapped}`]) },
  "ab whose set-up leaves a scheduler that ignores SIGTERM": {
    times: 3,
    words: () => experiment(["a", "b"], ["--setup", "a=(trap '' TERM; sleep 500; sleep 500) & sleep 0.2"]),
  },
  "ab in the middle of a set-up": {
    times: 3,
    words: () => experiment(["a", "b"], ["--setup", "a=sleep 500; true"]),
  },
  "sweep of our engine": {
    times: 3,
    words: () => [
      PACKAGE_FILES.command,
      "sweep",
      "--vary",
      "t=1,2",
      "-o",
      join(folder, `${stores++}.ndjson`),
      "--",
      "-r",
      "400",
    ],
  },
  "a program that runs the library": {
    times: 10,
    words: () => ["--input-type=module", "-e", LIBRARY_CALLER],
  },
} as const;

void describe("kill -9", { concurrency: true }, () => {
  for (const [what, { times, words }] of Object.entries(CASES))
    void test(`nothing is left of ${what} after kill -9 at ${times} random moments`, async () => {
      // All at once: mostly they sleep.
      const seen = await Promise.all([...moments(times - 1), 4000].map((msec) => killAfter(words(), msec)));
      assert.ok(Math.max(...seen) > 1, "it never had a child: this would show nothing");
    });
});
