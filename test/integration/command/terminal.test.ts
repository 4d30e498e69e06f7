/** Terminals that are odd: that do not know their width, that are very narrow, that go away in the middle of a run. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { PACKAGE_FILES } from "../../../src/package-files.js";

const folder = mkdtempSync(join(tmpdir(), "schbench-ts-"));
after(() => rmSync(folder, { recursive: true }));

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");
const COMMAND = quoted([process.execPath, PACKAGE_FILES.command]);

const hasScript = spawnSync("script", ["--version"]).status === 0;

/** What a command writes to a terminal of that many columns. */
const onTerminal = (columns: number, line: string): string =>
  spawnSync("script", ["-qec", `stty cols ${columns} rows 0; ${line}`, "/dev/null"], {
    encoding: "utf8",
    timeout: 60_000,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, TERM: "xterm" },
  }).stdout;

const CLEAR_LINE = "\r\u001B[K";

for (const columns of [0, 1, 2, 20])
  void test(
    `the live line of a run fits a terminal of ${columns} columns, and replaces itself`,
    { skip: !hasScript },
    () => {
      const text = onTerminal(columns, `${COMMAND} -m 1 -t 1 -n 0 -s 10000 -r 5 -i -1`);
      const [, ...drawn] = text.split(CLEAR_LINE);
      const live = drawn.slice(0, 3);
      assert.equal(live.length, 3, text);
      for (const line of live) {
        assert.doesNotMatch(line, /\n/, "a line break would leave the line behind");
        assert.ok(line.length < (columns === 0 ? 80 : columns), `"${line}"`);
      }
      if (columns === 0) assert.match(live[0] ?? "", /^1 of 5 s, \d+ requests\/s, wakeup p99 \d+ usec$/);
    },
  );

void test(
  "a terminal that does not know its width gets the doctor's text as wide as without one",
  { skip: !hasScript },
  () => {
    const lines = onTerminal(0, `${COMMAND} doctor`).split("\n");
    assert.ok(
      lines.some((line) => line.length > 80),
      "text is wrapped at 110 columns",
    );
  },
);

void test(
  "a terminal that goes away in the middle of a run ends it, and the report is in the file",
  { skip: !hasScript },
  async () => {
    const json = join(folder, "hung-up.json");
    const html = join(folder, "hung-up.html");
    const started = join(folder, "started");
    const terminal = spawn(
      "script",
      [
        "-qec",
        `(sleep 1; touch ${started}) & ${COMMAND} -m 1 -t 1 -n 0 -s 10000 -r 300 -i 1 -j ${json} --html ${html}`,
        "/dev/null",
      ],
      { stdio: ["pipe", "ignore", "ignore"], env: { ...process.env, NODE_TEST_CONTEXT: undefined, TERM: "xterm" } },
    );
    while (!existsSync(started)) await sleep(50);
    await sleep(2000);
    // The other end of the terminal is gone with it: what the run writes is answered with EIO, and it hears SIGHUP.
    terminal.kill("SIGKILL");
    const result = await (async () => {
      for (const end = Date.now() + 30_000; Date.now() < end; await sleep(100)) {
        const text = existsSync(json) ? readFileSync(json, "utf8") : "";
        if (text.endsWith("}\n") && existsSync(html) && readFileSync(html, "utf8").includes("</html>")) return text;
      }
      return assert.fail("there is no report");
    })();
    const parsed: unknown = JSON.parse(result);
    assert.match(JSON.stringify(parsed), /"interrupted":true/);
  },
);
