import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openFile } from "../../../../src/cli/io/output-file.js";
import { reportCommand } from "../../../../src/cli/commands/report-command.js";
import { ParseError, UsageError, UserError } from "../../../../src/errors.js";
import type { ExperimentHeader, RunRecord } from "../../../../src/experiment/record.js";
import { plainSubject } from "../../../../src/experiment/subject.js";
import { subjectsInHtml } from "../../../../src/render/reports/embedded-data.js";
import type { RunResult } from "../../../../src/model/run-result.js";
import { capturedIo } from "../../../helpers/captured-io.js";
import { fakeRun } from "../../../helpers/render-results.js";

const folder = mkdtempSync(join(tmpdir(), "schbench-report-"));
after(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const report = async (argv: readonly string[], stdin = "") => {
  const { io, printed } = capturedIo(stdin);
  const code = await reportCommand.run(argv, io);
  return { code, ...printed() };
};

const runsOf = (seed: number, requestUsec: number): readonly RunResult[] =>
  Array.from({ length: 6 }, (_, i) => fakeRun({ seed: seed + i, seconds: 2, requestUsec, startedAt: null }));

const lines = (runs: readonly unknown[]): string => runs.map((run) => `${JSON.stringify(run)}\n`).join("");

const base = runsOf(10, 4900);
const slower = runsOf(20, 5600);

/** An experiment's file: every subject in every cell, in turn. */
const experiment = (
  kind: ExperimentHeader["kind"],
  cells: readonly string[],
  subjects: ExperimentHeader["subjects"],
  runs: (subject: number, cell: number) => readonly RunResult[],
): string => {
  const header: ExperimentHeader = {
    format: "schbench-ts/experiment",
    version: 1,
    kind,
    subjects,
    cells: cells.map((name) => ({ name, flags: ["-m", "1"], engineFlags: [], runtimeSec: 2, rounds: null })),
    rounds: 6,
    warmupRounds: 0,
    seed: 1,
    startedAt: "2026-11-28T09:00:00.000Z",
  };
  const records = [1, 2, 3, 4, 5, 6].flatMap((round) =>
    cells.flatMap((cell, c) =>
      subjects.flatMap(({ name }, s): RunRecord[] => {
        const result = runs(s, c)[round - 1];
        if (result === undefined) return [];
        return [
          {
            format: "schbench-ts/run",
            version: 1,
            slot: { subject: name, cell, round, order: s },
            startedAt: "2026-11-28T09:00:00.000Z",
            tookSec: 2,
            command: ["schbench"],
            schedExt: { before: null, after: null },
            excluded: null,
            result,
          },
        ];
      }),
    ),
  );
  return lines([header, ...records]);
};

const engine = (name: string) => plainSubject(name, { kind: "engine", node: null });
const external = (name: string) => plainSubject(name, { kind: "external", command: [`./schbench-${name}`] });

void test("one result file becomes a report of its runs, written where -o says", async () => {
  const output = join(folder, "one.html");
  const { code, stdout, stderr } = await report([file("one.json", lines(base)), "-o", output, "--title", "My <run>"]);
  assert.equal(code, 0);
  assert.equal(stdout, "");
  assert.equal(stderr, `wrote ${output}\n`);
  const html = readFileSync(output, "utf8");
  assert.match(html, /<title>My &lt;run&gt;<\/title>/);
  assert.deepEqual(subjectsInHtml(html, output), [{ name: "My <run>", runs: base }]);
});

void test("several files are subjects, the first is the base; names may be given", async () => {
  const { stdout } = await report([
    `old=${file("a.json", lines(base))}`,
    `new=${file("b.json", lines(slower))}`,
    "-o",
    "-",
  ]);
  assert.match(stdout, /new is worse than old: request p99/);
});

void test("a report can be fed back: by itself and against another", async () => {
  const { stdout } = await report([file("a2.json", lines(base)), "-o", "-", "--title", "before"]);
  const first = file("first.html", stdout);
  const again = await report([first, "-o", "-"]);
  assert.equal(again.stdout, stdout);
  const against = await report([`a=${first}`, `b=${file("b2.json", lines(slower))}`, "-o", "-"]);
  assert.match(against.stdout, /b is worse than a/);
});

void test("standard input is a file like others", async () => {
  const { stdout } = await report(["-", "-o", "-"], lines(base.slice(0, 1)));
  assert.equal(subjectsInHtml(stdout, "-")[0]?.runs.length, 1);
});

void test("an ab experiment shows the order in which its runs were made, also where no run knows its time", async () => {
  const text = experiment("ab", ["default"], [engine("x"), engine("y")], (s) => (s === 0 ? base : slower));
  const { stdout } = await report([file("ab.ndjson", text), "-o", "-"]);
  assert.match(stdout, /y is worse than x/);
  assert.match(stdout, /<title>y, run 12 of the experiment/);
});

void test("a sweep is drawn against its option, a line for each subject", async () => {
  const text = experiment("sweep", ["t=1 F=64", "t=2 F=64", "t=4 F=64"], [engine("x"), engine("y")], (s) =>
    s === 0 ? base : slower,
  );
  const { stdout } = await report([file("sweep.ndjson", text), "-o", "-"]);
  assert.match(stdout, /Sweep over -t and -F/);
  assert.match(stdout, /request p99 \(x, F=64\): no knee/);
  assert.match(stdout, /-F 64, y/);
});

void test("of a sweep only the metrics that are named are drawn", async () => {
  const text = experiment("sweep", ["t=1 F=64", "t=2 F=64", "t=4 F=64"], [engine("x")], () => base);
  const path = file("metrics.ndjson", text);
  const titles = async (...words: readonly string[]) =>
    [...(await report([path, "-o", "-", ...words])).stdout.matchAll(/>([^<>]*) against -t</g)].map(
      ([, title]) => title,
    );
  assert.deepEqual(await titles("--metrics", "wakeup-p50,average-rps"), ["Wakeup latency p50", "Average rps"]);
  assert.ok((await titles()).includes("Request latency p99"));
});

void test("a validation is judged against the programs that are not ours", async () => {
  const text = experiment("validate", ["default"], [external("gcc"), external("clang"), engine("native")], (s) =>
    runsOf(100 * s, 4800 + 100 * s),
  );
  const { stdout } = await report([file("validate.ndjson", text), "-o", "-"]);
  assert.match(stdout, /native against the reference/);
  assert.match(stdout, /envelope of gcc and clang/);
});

void test("what cannot be drawn is refused with a reason", async () => {
  await assert.rejects(report([]), UsageError);
  await assert.rejects(report([join(folder, "missing.json")]), /cannot read .*there is no such file/);
  await assert.rejects(report([file("bad.txt", "hello\n")]), ParseError);
  await assert.rejects(report([file("bad.html", "<!doctype html><p>")]), ParseError);
  const none = experiment("ab", ["default"], [engine("x")], () => []);
  await assert.rejects(report([file("none.ndjson", none)]), /holds no run yet/);
  await assert.rejects(report([file("c.json", lines(base)), "--primary", "nonsense"]), UserError);
  await assert.rejects(
    report([file("d.json", lines(base)), "-o", join(folder, "no", "such", "place.html")]),
    /cannot write/,
  );
});

void test("a report can be made of what comes through a pipe, which can be read once", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const reported = report([pipe, "-o", "-"]);
  await openFile(pipe).write(lines(base));
  assert.match((await reported).stdout, /<html/);
});
