/** Outputs as people post them: with remarks, wrapped, with tables left out, in prose. What is read in spite of something says so. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { ParseError } from "../../../src/errors.js";
import { percentileIn } from "../../../src/model/metrics/distribution.js";
import type { RunResult } from "../../../src/model/result/run-result.js";
import { parseOutput } from "../../../src/parse/parse-output.js";

const parse = (text: string): readonly RunResult[] => parseOutput(text, { file: "f" });
const fixture = (name: string): string => readFileSync(resolve("test/fixtures/parse", name), "utf8");
/** What others posted is not part of the repository: there the tests say that they are skipped. */
const posted = resolve("../shared/corpus");
const whereCorpusIs = existsSync(posted) ? {} : { skip: "the corpus is not here" };
const corpus = (name: string): string => readFileSync(resolve(posted, `${name}.txt`), "utf8");

const only = (text: string): RunResult => {
  const [run, ...more] = parse(text);
  assert.ok(run !== undefined);
  assert.equal(more.length, 0);
  return run;
};
const eraOf = ({ source }: RunResult): string => (source.kind === "parsed" ? source.era : "");
const messages = (run: RunResult, code: string): readonly string[] =>
  run.warnings.filter((warning) => warning.code === code).map(({ message }) => message);
/** Run time, samples and p99 of the tables, average rate: null for what is not there. */
const figures = ({ runtimeSec, wakeup, request, rps, averageRps }: RunResult) => ({
  runtimeSec,
  wakeup: wakeup && [wakeup.samples, percentileIn(wakeup, 99), wakeup.max],
  request: request && [request.samples, percentileIn(request, 99), request.max],
  rps: rps && [rps.samples, percentileIn(rps, 50), rps.max],
  averageRps,
});

const REMARKED = {
  runtimeSec: 20,
  wakeup: [9000, 512, 3010],
  request: [9004, 8040, 12_044],
  rps: [20, 452, 461],
  averageRps: 450.2,
};

void test("a remark behind a complete line is left out, with a warning that quotes it", () => {
  const run = only(fixture("posted-remarks.txt"));
  assert.deepEqual(figures(run), REMARKED);
  assert.deepEqual(run.schedDelay, { messageUsec: 3, workerUsec: 41 });
  assert.deepEqual(
    messages(run, "remark-left-out"),
    [
      [2, "(with patch)"],
      [4, "# as before"],
      [5, "<-- worse"],
      [6, "2x the tail!"],
      [7, "# idle otherwise"],
      [11, "+31% !!"],
      [19, "(noise?)"],
      [20, "hm, min 3?"],
    ].map(([line, remark]) => `line ${line} ends with a remark, which was left out: "${remark}"`),
  );
  assert.deepEqual(
    run.warnings.map(({ code }) => code).filter((code) => code !== "remark-left-out"),
    [],
  );
});

void test("posted remarks are left out, and the numbers before them read", whereCorpusIs, () => {
  const run = only(corpus("t2-remarks"));
  assert.deepEqual(figures(run), {
    runtimeSec: 60,
    wakeup: [412_907, 874, 8112],
    request: [413_021, 9264, 31_888],
    rps: [61, 6888, 6958],
    averageRps: 6883.68,
  });
  const quotes = ["# as expected", "<-- this one", "(with patch)", "+38% !!", "(noise?)"];
  const found = messages(run, "remark-left-out");
  assert.equal(found.length, quotes.length);
  for (const [index, quote] of quotes.entries()) assert.ok(found[index]?.includes(`"${quote}"`), quote);
});

void test("a remark may follow rows without counts and lines of rates, where it begins as remarks do", () => {
  const old = fixture("2019-08.txt")
    .replace("*99.0th: 7016", "*99.0th: 7016  <-- here")
    .replace("max=15002", "max=15002 (idle box)")
    .replace("99.9th: 11792", "99.9th: 11792   +12%");
  const run = only(old);
  assert.deepEqual(run.wakeup, only(fixture("2019-08.txt")).wakeup);
  assert.equal(messages(run, "remark-left-out").length, 3);
  const auto = only(fixture("2025-05-auto-rps.txt").replace("final rps goal was 0", "final rps goal was 0 # why?"));
  assert.equal(auto.rate?.finalGoalPerSec, 0);
  const pipe = only(fixture("2023-04-11-pipe.txt").replace("161.07MB/s", "161.07MB/s   not bad"));
  assert.equal(pipe.transfer?.opsPerSecPerWorker, 41_234.56);
  const summed = only(fixture("2016-05-rate.txt").replace("4.12%", "4.12%   as it should be"));
  assert.equal(summed.averageRps, 248.77);
});

void test("a remark is a warning of the run that it stands in", () => {
  const text = fixture("posted-two-runs-in-prose.txt");
  const noted = [
    text.replace("average rps: 400.50", "average rps: 400.50 fine"),
    text.replace("99.0th: 74         (286 samples)", "99.0th: 74         (286 samples) ouch"),
  ].map((changed) => parse(changed).map((run) => messages(run, "remark-left-out").length));
  assert.deepEqual(noted, [
    [1, 0],
    [0, 1],
  ]);
});

/** Uncounted rows of 2019, and counted ones: what stands behind a value that could go on is no remark. */
for (const [sound, damaged] of [
  ["*99.0th: 7016", "*99.0th: 7 016"],
  ["*99.0th: 7016", "*99.0th: 7#016"],
  ["*99.0th: 7016", "*99.0th: 7 #016"],
  ["*99.0th: 7016", "*99.0th: 7 # 016"],
  ["*99.0th: 7016", "*99.0th: 7 <--016"],
  ["*99.0th: 7016", "*99.0th: 7 o16"],
  ["*99.0th: 7016", "*99.0th: 7 ms"],
  ["*99.0th: 7016", "*99.0th: 70l6"],
  ["max=15002", "max=15 002"],
  ["max=15002", "max=15 (002)"],
] as const)
  void test(`"${damaged}" in place of "${sound}" is damage, not a remark`, () => {
    const text = fixture("2019-08.txt");
    assert.ok(text.includes(sound));
    assert.throws(() => parse(text.replace(sound, damaged)), /damaged line/);
  });

for (const damaged of [
  "* 99.0th: 5 12        (810 samples)",
  "* 99.0th: 512        (8 10 samples)",
  "* 99.0th: 512        (810 samp",
  "* 99.0th: 512        # (810 samples)",
  "* 99.0th: 512        (810 samples) 17",
  "* 99.0th: 512        (810 samples) 17 it is now",
  "* 99.0th: 512        (810 samples) | 600 |",
  "* 99.0th: 512        (810 samples)  * 99.0th: 600        (810 samples)",
  "* 99.0th: 512        (810 samples)  600        (810 samples)",
])
  void test(`"${damaged}" is refused, naming its line`, () => {
    const text = fixture("posted-remarks.txt").replace(/\* 99\.0th: 512.*/, damaged);
    assert.throws(
      () => parse(text),
      (error) => error instanceof ParseError && error.line === 5,
    );
  });

void test("a goal with torn digits is refused, not left out of the total", () => {
  const text = fixture("2023-04-11-auto-rps.txt");
  for (const damaged of ["goal was 21 0", "goal was 2x10", "goal was 2 # 10"])
    assert.throws(() => parse(text.replace("goal was 210", damaged)), /f:1: damaged line/);
});

void test("the posted row with torn digits is refused", whereCorpusIs, () => {
  assert.throws(
    () => parse(corpus("t2-damaged")),
    (error) => error instanceof ParseError && error.line === 4 && /damaged line "\* 99\.0th: 1 7/.test(error.message),
  );
});

void test("tables that the poster left out are null, with a warning that names them", () => {
  const run = only(fixture("posted-table-left-out.txt"));
  assert.deepEqual(figures(run), {
    runtimeSec: 25,
    wakeup: null,
    request: [10_250, 9208, 15_510],
    rps: null,
    averageRps: 410,
  });
  assert.deepEqual(messages(run, "tables-left-out"), [
    "a report has no table of wakeup latencies and none of RPS: what would stand there is unknown",
  ]);
});

void test("a posted request table with its average is read, the rest null", whereCorpusIs, () => {
  const run = only(corpus("t2-table-left-out"));
  assert.deepEqual(figures(run), {
    runtimeSec: 30,
    wakeup: null,
    request: [88_210, 18_336, 40_355],
    rps: null,
    averageRps: 2940.33,
  });
  assert.equal(messages(run, "tables-left-out").length, 1);
});

/** The lines of a report's tables, by their titles. */
const withoutTable = (text: string, title: string): string =>
  text.replaceAll(new RegExp(String.raw`^\s*${title} percentiles[^\n]*\n(?:\s+[*\d.m][^\n]*\n)+`, "gm"), "");

void test("any table may be left out of any report, also of interval reports; one without its end is cut off", () => {
  const text = fixture("2025-05.txt");
  const whole = only(text);
  for (const title of ["Wakeup Latencies", "Request Latencies", "RPS"]) {
    const less = withoutTable(text, title);
    assert.notEqual(less, text);
    const run = only(less);
    const absent = { "Wakeup Latencies": "wakeup", "Request Latencies": "request", RPS: "rps" }[title];
    for (const name of ["wakeup", "request", "rps"] as const) {
      assert.deepEqual(run[name], name === absent ? null : whole[name]);
      assert.deepEqual(run.intervals[0]?.[name], name === absent ? null : whole.intervals[0]?.[name]);
    }
    assert.equal(run.averageRps, whole.averageRps);
    assert.ok(messages(run, "tables-left-out").length > 0);
    assert.throws(() => parse(less.replace("average rps: 416.75\n", "")), /cut off/);
  }
});

void test("tables with prose between are not taken for one report with tables left out: they may be of two runs", () => {
  const text = fixture("2023-04-11-two-runs.txt");
  const [wakeup = "", request = ""] = text.split(/^(?=Wakeup|Request|RPS|current)/m).slice(1);
  const report = `${wakeup}\n${request}average rps: 401.20\n`;
  assert.deepEqual(messages(only(report), "tables-left-out").length, 1);
  for (const parted of [
    report.replace("\nRequest", "\nand the patched one:\nRequest"),
    report.replace("average", "and the patched one:\naverage"),
  ])
    assert.throws(() => parse(parted), /f:1: .*no table of RPS, and other text stands between its lines/);
});

void test("whole reports come without a warning of tables left out", () => {
  for (const name of ["2025-05.txt", "2023-04-11-two-runs.txt", "2023-04-10.txt", "2023-04-11-pipe.txt"])
    for (const run of parse(fixture(name))) assert.deepEqual(messages(run, "tables-left-out"), [], name);
});

void test("a rate without any table is no report, and not said to be cut off", () => {
  for (const line of ["average rps: 3016.00", "current rps: 12.00"])
    assert.throws(
      () => parse(`so we get\n${line}\n`),
      (error) => error instanceof ParseError && error.line === 2 && !/cut off/.test(error.message),
    );
});

void test("tables behind a list of percentiles without a header are refused: the list may be theirs", () => {
  const [, ...rows] = fixture("2023-04-10.txt").split("\n");
  assert.throws(() => parse(rows.join("\n")), /a request table after a table without a header/);
});

void test("text with a table left out and the JSON of the same run are one result with both", () => {
  const [text = "", json = ""] = fixture("both-text-and-json.txt").split(/(?=\{"normal)/);
  const final = json.slice(json.indexOf("}}") + 2);
  const both = `${text}${json.slice(0, json.indexOf("}}") + 2)}\n${withoutTable(final, "Wakeup Latencies")}`;
  const run = only(both);
  assert.equal(run.jobname, "nightly");
  assert.equal(run.wakeup?.max, 640);
  assert.equal(run.request?.samples, 5001);
});

void test("lines that a mailer wrapped are put together, with a warning that quotes the first", () => {
  const run = only(fixture("posted-wrapped.txt"));
  assert.deepEqual(figures(run), REMARKED);
  assert.deepEqual(run.wakeup, only(fixture("posted-remarks.txt")).wakeup);
  assert.deepEqual(messages(run, "wrapped-lines"), [
    '5 lines had been wrapped: the first, line 1, goes on with "(9000 total samples)"',
  ]);
});

void test("a posted mail with wrapped counts reads as if it had not been wrapped", whereCorpusIs, () => {
  const text = corpus("t2-wrapped");
  const run = only(text);
  const unwrapped = only(text.replaceAll(/\n> (?=\(\d+ |samples\))/g, " "));
  assert.deepEqual(figures(run), figures(unwrapped));
  for (const name of ["wakeup", "request", "rps"] as const) assert.deepEqual(run[name], unwrapped[name]);
  assert.equal(run.wakeup?.samples, 167_820);
  assert.equal(percentileIn(run.request, 99), 12_208);
  assert.equal(messages(run, "wrapped-lines").length, 1);
  assert.deepEqual(messages(unwrapped, "wrapped-lines"), []);
});

void test("a number that was broken in two is not put together", () => {
  const text = fixture("posted-wrapped.txt");
  for (const [sound, broken] of [
    ["50.0th: 7   ", "50.0th: \n> > 7 1   "],
    ["99.9th: 1902   ", "99.9th: 19\n> > 02   "],
    ["(81 samples)", "(8\n> > 1 samples)"],
    ["(9000 total", "(90\n> > 00 total"],
    ["average rps: 450.20", "average rps: 4\n> > 50.20"],
  ] as const) {
    assert.ok(text.includes(sound));
    assert.throws(() => parse(text.replace(sound, broken)), ParseError, broken);
  }
});

void test("two outputs in one mail with prose around them are two runs, in order", () => {
  const runs = parse(fixture("posted-two-runs-in-prose.txt"));
  assert.deepEqual(
    runs.map((run) => [run.averageRps, percentileIn(run.wakeup, 99), percentileIn(run.request, 99)]),
    [
      [400.5, 36, 6392],
      [398, 74, 7016],
    ],
  );
  for (const run of runs) assert.deepEqual(run.warnings, []);
});

void test("two posted outputs in one mail are two runs, in order", whereCorpusIs, () => {
  assert.deepEqual(
    parse(corpus("t2-two-runs-in-prose")).map((run) => [
      run.source.kind === "parsed" && run.source.line,
      run.averageRps,
      percentileIn(run.wakeup, 99.9),
      percentileIn(run.request, 99),
    ]),
    [
      [3, 3016, 60, 5096],
      [25, 3010.1, 2036, 7288],
    ],
  );
});

void test("a report of -A of 2023, which has no last line, may lack tables before its last", () => {
  const run = only(withoutTable(fixture("2023-04-11-auto-rps.txt"), "Wakeup Latencies"));
  assert.deepEqual([run.wakeup, run.request?.samples, run.rate?.finalGoalPerSec], [null, 6000, 422]);
  assert.equal(messages(run, "tables-left-out").length, 1);
});

void test("two runs of -A of 2023 in one text keep their own goals", () => {
  const once = fixture("2023-04-11-auto-rps.txt");
  const runs = parse(once + once.replace("goal was 210", "goal was 300"));
  assert.deepEqual(
    runs.map((run) => run.rate?.finalGoalPerSec),
    [422, 512],
  );
});

void test("upstream's second JSON, with everything but the time under normal, is read", () => {
  const run = only(fixture("json-2025-05-16-normal.json"));
  const today = only(fixture("json-2025-05-16.json"));
  assert.equal(eraOf(run), "json-2025-05-16-normal");
  for (const name of ["wakeup", "request", "rps", "runtimeSec", "startedAt", "mode"] as const)
    assert.deepEqual(run[name], today[name], name);
  assert.equal(run.jobname, null);
  assert.deepEqual(run.source.kind === "parsed" && run.source.machine, {
    hostname: "box",
    kernel: "6.9.1",
    schedExt: null,
  });
});

void test("upstream's second JSON is refused when a number is missing, wrong or of another kind", () => {
  const text = fixture("json-2025-05-16-normal.json");
  for (const damaged of [
    text.replace('"wakeup_latency_pct90.0": 14, ', ""),
    text.replace('"rps_max": 811', '"rps_max": "811"'),
    text.replace('"request_latency_pct50.0": 4888', '"request_latency_pct50.0": 1'),
    text.replace('"wakeup_latency_max": 640', '"wakeup_latency_max": -1'),
    text.replace(', "runtime": 7', ""),
    text.replace('{"time": 1700000007}', "{}"),
    text.replace('{"time": 1700000007}', '{"time": 1700000007, "wakeup_latency_pct50.0": 6}'),
  ]) {
    assert.notEqual(damaged, text);
    assert.throws(() => parse(damaged), ParseError, damaged);
  }
});

void test("posted JSON of mid-2025 is read with its command, time and numbers", whereCorpusIs, () => {
  const run = only(corpus("t2-json-mid-2025"));
  assert.deepEqual(figures(run), {
    runtimeSec: 3,
    wakeup: [null, 18_144, 20_619],
    request: [null, 83_072, 125_868],
    rps: [null, 172, 341],
    averageRps: null,
  });
  assert.deepEqual(run.commandLine?.slice(0, 3), ["schbench", "-m", "2"]);
  assert.equal(run.mode, "closed-loop");
  assert.equal(run.startedAt, new Date((1_796_256_956 - 3) * 1000).toISOString());
});

void test("pipe mode of April 2023 keeps its request latencies and its rate; its empty RPS table is none", () => {
  const april12 = only(fixture("2023-04-12-pipe.txt"));
  assert.deepEqual([eraOf(april12), april12.mode, april12.rate], ["2023-04-11", "pipe", null]);
  assert.deepEqual(figures(april12), {
    runtimeSec: 10,
    wakeup: [40_000, 41, 1980],
    request: [39_990, 580, 3902],
    rps: null,
    averageRps: 3999,
  });
  assert.equal(april12.transfer?.opsPerSecPerWorker, 4001.1);
  const april10 = only(fixture("2023-04-10-pipe.txt"));
  assert.deepEqual([eraOf(april10), april10.mode, april10.rate], ["2023-04-10", "pipe", null]);
  assert.deepEqual(figures(april10), {
    runtimeSec: 4,
    wakeup: [16_000, 40, 2101],
    request: [15_990, 566, 3804],
    rps: null,
    averageRps: 3997.5,
  });
  for (const run of [april12, april10]) assert.deepEqual(run.warnings, []);
  for (const name of ["2023-04-12-pipe.txt", "2023-04-10-pipe.txt"])
    assert.throws(() => parse(fixture(name).replace(/^.*rps: .*\n/m, "")), /cut off/);
});

void test("-A in pipe mode of April 2023 had a goal and no rate; the run is one of pipe mode", () => {
  const text = fixture("2023-04-12-pipe.txt").replace(/^average rps: .*\n/m, "");
  const run = only(`final rps goal was 4000\n${text}`);
  assert.deepEqual([run.mode, run.rate, run.averageRps], ["pipe", null, null]);
  assert.equal(run.transfer?.opsPerSecPerWorker, 4001.1);
  assert.equal(run.request?.samples, 39_990);
});

void test("posted pipe mode of April 2023 is read with the tables that later versions left out", whereCorpusIs, () => {
  const run = only(corpus("t2-pipe-2023"));
  assert.equal(run.mode, "pipe");
  assert.deepEqual(figures(run), {
    runtimeSec: 5,
    wakeup: [31_877, 44, 2713],
    request: [31_877, 612, 4110],
    rps: null,
    averageRps: 6375.4,
  });
  assert.deepEqual(run.transfer && [run.transfer.opsPerSecPerWorker, run.transfer.bytesPerSecPerWorker], [
    6381.4,
    24.93 * 1024 * 1024,
  ]);
});
