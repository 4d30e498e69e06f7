/**
 * Speed and memory, side by side:
 *   npm run bench -- [--reference NAME=BINARY …] [--native NAME=LIBRARY …] [--v8 NAME=NODE …]
 *                    [--rounds N] [--axes a,b,…] [--only goals|costs|growth] [--json FILE] [--markdown FILE]
 *
 * With references: the table of goals, every subject in turn. Always: what starting, threads and host calls cost, what runs
 * beside the benchmark threads, and how exact rates are. With --only growth: what judging and drawing many runs costs (--largest RUNS, 100000).
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { median, quantileOfAscending } from "../src/stats/sample.js";
import { AXES } from "./axes.js";
import { compareWithReferences, type FigureRow } from "./compare-references.js";
import { goalsMarkdown } from "./goals-markdown.js";
import { benchGrowth } from "./growth.js";
import { hostCosts } from "./host-calls.js";
import { bareTimerLateness, rateAccuracy } from "./rates.js";
import { threadCost, timeToClock, whatRunsBeside } from "./start-up.js";
import { type BenchSubject, ourSubject, referenceSubject } from "./subjects.js";

const { values: options } = parseArgs({
  options: {
    reference: { type: "string", multiple: true, default: [] },
    native: { type: "string", multiple: true, default: [] },
    v8: { type: "string", multiple: true, default: [] },
    axes: { type: "string", multiple: true, default: [] },
    rounds: { type: "string", default: "5" },
    only: { type: "string" },
    largest: { type: "string", default: "100000" },
    json: { type: "string" },
    markdown: { type: "string" },
  },
});
const report: Record<string, unknown> = { date: new Date().toISOString(), node: process.versions.node };
const say = (text: string): void => void process.stdout.write(text);

const named = (pairs: readonly string[]): readonly (readonly [string, string])[] =>
  pairs.map((pair) => {
    const at = pair.indexOf("=");
    if (at < 1) throw new Error(`"${pair}": expected NAME=PATH`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });

const references = named(options.reference).map(([name, path]) => referenceSubject(name, path));
const natives = named(options.native).map(([name, path]) =>
  ourSubject(name, "native", { env: { SCHBENCH_TS_NATIVE: path } }),
);
const v8s = named(options.v8).map(([name, node]) => ourSubject(name, "v8", { node }));
const [native = ourSubject("native", "native")] = natives;
const [v8 = ourSubject("v8", "v8")] = v8s;
const ours: readonly BenchSubject[] = natives.length + v8s.length === 0 ? [native, v8] : [...natives, ...v8s];

const benchGoals = async (): Promise<readonly FigureRow[]> => {
  const wanted = options.axes.flatMap((list) => list.split(","));
  const unknown = wanted.filter((name) => !AXES.some((axis) => axis.name === name));
  if (unknown.length > 0) throw new Error(`no axis ${unknown.join(", ")}: ${AXES.map(({ name }) => name).join(", ")}`);
  const axes = AXES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const rounds = Number(options.rounds);
  say(`== goals: ${rounds} rounds, subjects in turn; average [lowest–highest]\n`);
  return compareWithReferences(axes, [...ours, ...references], rounds, say);
};

const benchStart = async (): Promise<void> => {
  say("== start-up: from entering `schbench-ts -m 1 -t 2` to the start of the clock, ms\n");
  for (const subject of [native, v8]) {
    const times = await timeToClock(subject, 9);
    report[`clock ${subject.name}`] = times;
    say(`${subject.name.padEnd(12)} median ${median(times)} [${Math.min(...times)}–${Math.max(...times)}]\n`);
  }
};

const benchThreads = async (): Promise<void> => {
  say("== threads: until all are up, and what they add to the resident set of the idle process\n");
  for (const [engine, most] of [
    ["native", 4096],
    ["v8", 64],
  ] as const)
    for (const workers of [2, 16, 64, 256, 1024, 4096].filter((count) => count <= most)) {
      const cost = await threadCost(engine, workers);
      report[`threads ${engine} ${workers}`] = cost;
      const each = `${(cost.residentKib / 1024).toFixed(1)} MiB (${(cost.residentKib / cost.threads).toFixed(0)} KiB each)`;
      say(`${engine.padEnd(7)} ${String(cost.threads).padStart(5)} threads: ${cost.upMsec.toFixed(0)} ms, ${each}\n`);
    }
};

const benchBeside = async (): Promise<void> => {
  say("== beside the benchmark threads: ms of CPU time per second of the measured time\n");
  for (const subject of [native, v8]) {
    const beside = await whatRunsBeside(subject);
    report[`beside ${subject.name}`] = beside;
    for (const { name, msecPerSec } of beside) say(`${subject.name.padEnd(12)} ${name}: ${msecPerSec.toFixed(2)}\n`);
  }
};

const benchRates = async (): Promise<void> => {
  say("== rates within capacity: paced arrivals, -n 0 -s 0; lateness of sends beside that of a bare timer, us\n");
  for (const perSec of [100, 1000, 20_000]) {
    const { delivered, lateness } = await rateAccuracy(native, perSec);
    const bare = bareTimerLateness(perSec);
    report[`rate ${perSec}`] = { delivered, lateness, bare };
    const percentiles = [50, 90, 99, 99.9];
    const ofSends = percentiles.map((p) => lateness?.percentiles.find(({ percentile }) => percentile === p)?.value);
    const ofTimer = percentiles.map((p) => quantileOfAscending(bare, p / 100).toFixed(0));
    say(`-R ${perSec}: ${delivered.toFixed(2)}/s (${((delivered / perSec - 1) * 100).toFixed(3)} %)\n`);
    say(`  p50, 90, 99, 99.9 of sends ${ofSends.join(", ")}; of the timer ${ofTimer.join(", ")}\n`);
  }
};

const benchCosts = async (): Promise<void> => {
  say("== building blocks, ns\n");
  const costs = await hostCosts();
  report["costs"] = costs;
  for (const { engine, what, nsec } of costs)
    say(`${engine.padEnd(20)} ${what.padEnd(26)} ${nsec.toFixed(nsec < 10 ? 3 : 0)}\n`);
};

const keep = (): void => {
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 1)}\n`);
};

if (references.length > 0 && options.only !== "costs" && options.only !== "growth") {
  const rows = await benchGoals();
  report["goals"] = rows;
  if (options.markdown !== undefined) {
    const tables = [natives, v8s].map((subjects) =>
      goalsMarkdown(
        rows,
        subjects.map(({ name }) => name),
      ),
    );
    writeFileSync(options.markdown, tables.join("\n"));
  }
  keep();
}
if (options.only === "growth") {
  say("== growth: stores made from a seed\n");
  report["growth"] = await benchGrowth(Number(options.largest), say);
  keep();
} else if (options.only !== "goals") {
  for (const part of [benchStart, benchThreads, benchBeside, benchRates, benchCosts]) await part();
  keep();
}
