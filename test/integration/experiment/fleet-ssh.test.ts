/** `ab --on` through a real ssh to this machine, with an sshd of the test's own. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { joinWords } from "../../../src/options/values/shell-words.js";
import { PACKAGE_FILES } from "../../../src/package-files.js";
import { runCommand, startCommand } from "../../helpers/command.js";
import { startSshd } from "../../helpers/system/own-sshd.js";

const folder = mkdtempSync(join(tmpdir(), "fleet-ssh-"));
const sshd = await startSshd();
after(() => {
  sshd?.stop();
  rmSync(folder, { recursive: true });
});
const skip = sshd === null ? "needs ssh and sshd (openssh-client, openssh-server)" : false;
const ssh = joinWords(sshd?.prefix ?? []);

const script = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
};
const there = script("schbench-ts", `exec ${joinWords([process.execPath, PACKAGE_FILES.command])} "$@"`);

const fleetLine = (store: string, ...words: readonly string[]): readonly string[] => [
  "ab",
  "--on",
  `host=${ssh}`,
  "--on-command",
  there,
  "-o",
  join(folder, store),
  "--subject",
  "a",
  "--subject",
  "b",
  ...words,
  "--",
  "-m",
  "1",
  "-t",
  "1",
  "-r",
  "1",
];
const storedRuns = (store: string): number =>
  readFileSync(join(folder, store, "host.ndjson"), "utf8")
    .trimEnd()
    .split("\n").length - 1;

/** Commands with a text in their command line, other than this one's. */
const withWord = (word: string): readonly string[] =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word);
      } catch {
        return false;
      }
    });

void test("what is written for a subject reaches the shell of another machine to the letter", { skip }, async () => {
  const value = `it's "a" $HOME * ; ~ %41 \\ é`;
  const mark = join(folder, "mark of a");
  const { code, stderr } = await runCommand(
    fleetLine(
      "letters",
      "--runs",
      "1",
      "--warmup-runs",
      "0",
      "--env",
      `b=X=${value}`,
      "--setup",
      `a=printf '%s' "$SCHBENCH_SUBJECT" > ${joinWords([mark])}`,
    ),
  );
  assert.equal(code, 0, stderr);
  assert.equal(readFileSync(mark, "utf8"), "a");
  assert.ok(readFileSync(join(folder, "letters", "host.ndjson"), "utf8").includes(JSON.stringify({ X: value })));
});

void test(
  "a machine whose connection breaks loses its current run, and the same command makes the others",
  { skip },
  async () => {
    const line = fleetLine("broken", "--runs", "2", "--warmup-runs", "0");
    const running = startCommand(line);
    await running.says("[1/4]");
    const [child] = execFileSync("pgrep", ["-P", String(running.pid), "-f", "on run 0"], { encoding: "utf8" }).split(
      "\n",
    );
    process.kill(Number(child), "SIGKILL");
    const first = await running.finished;
    assert.equal(first.code, 1);
    assert.match(first.stderr, /schbench-ts: host was cut off by SIGKILL/);
    const [, kept = ""] =
      /warning: host has (\d) of 4 runs; the same command with -o \S+ makes the missing ones/.exec(first.stderr) ?? [];
    assert.ok(Number(kept) >= 1, first.stderr);
    assert.equal(storedRuns("broken"), Number(kept));
    const second = await runCommand(line);
    assert.equal(second.code, 0, second.stderr);
    assert.equal(storedRuns("broken"), 4);
    assert.doesNotMatch(second.stderr, /\[1\/4\]/);
  },
);

void test("an interruption here tears down there, and leaves nothing running", { skip }, async () => {
  const word = `600.${process.pid}`;
  const mark = join(folder, "torn-down");
  const running = startCommand(
    fleetLine("stopped", "--setup", `all=sleep ${word} &`, "--teardown", `all=touch ${joinWords([mark])}`),
  );
  await running.says("runs are kept in");
  while (withWord(`sleep\0${word}`).length === 0) await sleep(20);
  running.kill("SIGINT");
  const { code } = await running.finished;
  assert.equal(code, 130);
  assert.ok(existsSync(mark));
  assert.deepEqual(withWord(`sleep\0${word}`), []);
});

void test("when this command is killed outright, the one on the other machine ends itself", { skip }, async () => {
  const word = `601.${process.pid}`;
  const running = startCommand(fleetLine("killed", "--setup", `all=sleep ${word} &`));
  await running.says("runs are kept in");
  while (withWord(`sleep\0${word}`).length === 0) await sleep(20);
  running.kill("SIGKILL");
  await running.finished;
  for (let tries = 0; tries < 400 && withWord(`sleep\0${word}`).length > 0; tries++) await sleep(50);
  assert.deepEqual(withWord(`sleep\0${word}`), []);
});

void test(
  "a machine that does not answer, and one without schbench-ts, are told before anything runs",
  { skip },
  async () => {
    const closed = await runCommand([
      "ab",
      "--on",
      "dark=ssh -o BatchMode=yes -p 1 127.0.0.1",
      "--subject",
      "a",
      "--subject",
      "b",
    ]);
    assert.equal(closed.code, 1);
    assert.match(
      closed.stderr,
      /^schbench-ts: dark does not answer: "ssh .*" ended with exit code 255\nIt must start a command/,
    );
    const bare = await runCommand(fleetLine("bare").map((word) => (word === there ? join(folder, "none") : word)));
    assert.equal(bare.code, 1);
    assert.match(bare.stderr, /^schbench-ts: there is no "\S+none" on host: /);
    assert.ok(!existsSync(join(folder, "bare")));
  },
);
