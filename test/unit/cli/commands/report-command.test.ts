import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openFile } from "../../../../src/cli/io/output-file.js";
import { reportCommand } from "../../../../src/cli/commands/report-command.js";
import { ParseError, UsageError, UserError } from "../../../../src/errors.js";
import type { ExperimentHeader } from "../../../../src/experiment/record.js";
import { subjectsInHtml } from "../../../../src/render/reports/embedded-data.js";
import type { RunResult } from "../../../../src/model/result/run-result.js";
import { capturedIo } from "../../../helpers/fakes/captured-io.js";
import { cellNamed, engineSubject, external, jsonLines, storeText } from "../../../helpers/fakes/fake-store.js";
import { fakeRun } from "../../../helpers/render/render-results.js";

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

const base = runsOf(10, 4900);
const slower = runsOf(20, 5600);

/** An experiment's file of runs of two seconds. */
const experiment = (
  kind: ExperimentHeader["kind"],
  cells: readonly string[],
  subjects: ExperimentHeader["subjects"],
  runs: (subject: number, cell: number) => readonly RunResult[],
): string =>
  storeText(
    { kind, subjects, cells: cells.map((name) => cellNamed(name, { flags: ["-m", "1"], runtimeSec: 2 })) },
    runs,
  );

void test("one result file becomes a report of its runs, written where -o says", async () => {
  const output = join(folder, "one.html");
  const { code, stdout, stderr } = await report([
    file("one.json", jsonLines(base)),
    "-o",
    output,
    "--title",
    "My <run>",
  ]);
  assert.equal(code, 0);
  assert.equal(stdout, "");
  assert.equal(stderr, `wrote ${output}\n`);
  const html = readFileSync(output, "utf8");
  assert.match(html, /<title>My &lt;run&gt;<\/title>/);
  assert.deepEqual(subjectsInHtml(html, output), [{ name: "My <run>", runs: base }]);
});

void test("several files are subjects, the first is the base; names may be given", async () => {
  const { stdout } = await report([
    `old=${file("a.json", jsonLines(base))}`,
    `new=${file("b.json", jsonLines(slower))}`,
    "-o",
    "-",
  ]);
  assert.match(stdout, /new is worse than old: request p99/);
});

void test("a report can be fed back: by itself and against another", async () => {
  const { stdout } = await report([file("a2.json", jsonLines(base)), "-o", "-", "--title", "before"]);
  const first = file("first.html", stdout);
  const again = await report([first, "-o", "-"]);
  assert.equal(again.stdout, stdout);
  const against = await report([`a=${first}`, `b=${file("b2.json", jsonLines(slower))}`, "-o", "-"]);
  assert.match(against.stdout, /b is worse than a/);
});

void test("standard input is a file like others", async () => {
  const { stdout } = await report(["-", "-o", "-"], jsonLines(base.slice(0, 1)));
  assert.equal(subjectsInHtml(stdout, "-")[0]?.runs.length, 1);
});

void test("an ab experiment shows the order in which its runs were made, also where no run knows its time", async () => {
  const text = experiment("ab", ["default"], [engineSubject("x"), engineSubject("y")], (s) =>
    s === 0 ? base : slower,
  );
  const { stdout } = await report([file("ab.ndjson", text), "-o", "-"]);
  assert.match(stdout, /y is worse than x/);
  assert.match(stdout, /<title>y, run 12 of the experiment/);
});

void test("a sweep of several subjects is one comparison over its settings, a line for each subject", async () => {
  const text = experiment(
    "sweep",
    ["t=1 F=64", "t=2 F=64", "t=4 F=64"],
    [engineSubject("x"), engineSubject("y")],
    (s) => (s === 0 ? base : slower),
  );
  const { stdout } = await report([file("sweep.ndjson", text), "-o", "-"]);
  assert.match(stdout, /y against x over t and F/);
  assert.match(stdout, /y against x: worse everywhere: request p99/);
  assert.match(stdout, /request p99 \(x, F=64\): no knee/);
  assert.match(stdout, /aria-label="request p99 against t\. x: 1 /);
});

void test("of a sweep only the metrics that are named are drawn", async () => {
  const text = experiment("sweep", ["t=1 F=64", "t=2 F=64", "t=4 F=64"], [engineSubject("x")], () => base);
  const path = file("metrics.ndjson", text);
  const titles = async (...words: readonly string[]) =>
    [...(await report([path, "-o", "-", ...words])).stdout.matchAll(/>([^<>]*) against -t</g)].map(
      ([, title]) => title,
    );
  assert.deepEqual(await titles("--metrics", "wakeup-p50,average-rps"), ["Wakeup latency p50", "Average rps"]);
  assert.ok((await titles()).includes("Request latency p99"));
});

void test("a validation is judged against the programs that are not ours", async () => {
  const text = experiment("validate", ["default"], [external("gcc"), external("clang"), engineSubject("native")], (s) =>
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
  const none = experiment("ab", ["default"], [engineSubject("x")], () => []);
  await assert.rejects(report([file("none.ndjson", none)]), /holds no run yet/);
  await assert.rejects(report([file("c.json", jsonLines(base)), "--primary", "nonsense"]), UserError);
  await assert.rejects(
    report([file("d.json", jsonLines(base)), "-o", join(folder, "no", "such", "place.html")]),
    /cannot write/,
  );
});

void test("a report can be made of what comes through a pipe, which can be read once", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const reported = report([pipe, "-o", "-"]);
  await openFile(pipe).write(jsonLines(base));
  assert.match((await reported).stdout, /<html/);
});

void test("runs that are in several files are counted once, with a warning: a copy makes no difference significant", async () => {
  const [one, copy] = [file("one-a.json", jsonLines(base)), file("copy-a.json", jsonLines(base))];
  const { stdout, stderr } = await report([`a=${one},${copy},${one}`, "-o", "-"]);
  assert.deepEqual(subjectsInHtml(stdout, "a.html")[0]?.runs, base);
  assert.match(stderr, /warning: 6 runs of "a" are in several of the files; each is counted once/);
});

/** Runs that say when they began. */
const dated = (seed: number, count: number): readonly RunResult[] =>
  Array.from({ length: count }, (_, i) =>
    fakeRun({ seed: seed + i, seconds: 2, startedAt: `2026-12-01T12:${seed + i}:00.000Z` }),
  );

void test("a run that is in one file twice is counted once, if it says when it began", async () => {
  const runs = dated(10, 3);
  const { stdout, stderr } = await report([
    `a=${file("twice.json", jsonLines([...runs, ...runs.slice(0, 1)]))}`,
    "-o",
    "-",
  ]);
  assert.deepEqual(subjectsInHtml(stdout, "a.html")[0]?.runs, runs);
  assert.match(stderr, /warning: 1 run of "a" is in .*twice\.json more than once; each is counted once/);
  const alike = file("alike.json", jsonLines([...base, ...base]));
  assert.equal(subjectsInHtml((await report([`a=${alike}`, "-o", "-"])).stdout, "a.html")[0]?.runs.length, 12);
});

for (const kind of ["ab", "sweep"] as const)
  void test(`a run that a store of ${kind} holds twice is judged once, with a warning`, async () => {
    const [first, second] = [dated(10, 6), dated(20, 6)];
    const repeated = [...second.slice(0, 5), ...first.slice(0, 1)];
    const cells = kind === "ab" ? ["x"] : ["t=1", "t=2"];
    const both = [external("a"), external("b")];
    const text = experiment(kind, cells, both, (subject, cell) =>
      cell === 1 ? dated(subject === 0 ? 30 : 40, 6) : subject === 0 ? first : repeated,
    );
    const { stdout, stderr } = await report([file(`repeated-${kind}.ndjson`, text), "-o", "-"]);
    assert.match(stderr, /warning: 1 run is in .* more than once; each is counted once/);
    const runs = subjectsInHtml(stdout, "a.html").flatMap((subject) => subject.runs);
    assert.equal(runs.length, kind === "ab" ? 11 : 23);
  });

void test("runs on both sides are counted once, and figures and runs stay side by side", async () => {
  const [first, second] = [dated(10, 6), dated(20, 6)];
  const output = [
    `a=${file("both-a.json", jsonLines(first))}`,
    `b=${file("both-b.json", jsonLines([...first.slice(0, 2), ...second]))}`,
  ];
  const { stdout } = await report([...output, "-o", "-"]);
  assert.match(stdout, /2 of 8 runs are there in a, too: each is counted once/);
  const inside = subjectsInHtml(stdout, "c.html");
  assert.deepEqual(
    inside.map(({ runs }) => runs),
    [first, second],
  );
});
