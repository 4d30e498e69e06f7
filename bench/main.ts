/**
 * Speed and memory, side by side: npm run bench -- [--reference NAME=BINARY …] [--native NAME=LIBRARY …] [--v8 NAME=NODE …]
 *                                                 [--rounds N] [--axes a,b,…] [--json FILE]
 *
 * With references: the table of goals, every subject in turn. Always: what starting, threads and host calls cost, and what
 * runs beside the benchmark threads.
 */
import { writeFileSync } from "node:fs";
import { compareWithReferences } from "./compare-references.js";
import { hostCosts } from "./host-calls.js";
import { threadCost, timeToClock, whatRunsBeside } from "./start-up.js";
import { ourSubject, referenceSubject, runSubject } from "./subjects.js";

const words = process.argv.slice(2);
const valuesOf = (flag: string): readonly string[] =>
  words.flatMap((word, i) => (word === flag ? [words[i + 1] ?? ""] : []));
const pairsOf = (flag: string): readonly (readonly [string, string])[] =>
  valuesOf(flag).map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
const say = (text: string): void => void process.stdout.write(text);

const rounds = Number(valuesOf("--rounds")[0] ?? 5);
const axes = valuesOf("--axes").flatMap((list) => list.split(","));
const references = pairsOf("--reference").map(([name, path]) => referenceSubject(name, path));
const natives = pairsOf("--native").map(([name, path]) =>
  ourSubject(name, "native", { env: { SCHBENCH_TS_NATIVE: path } }),
);
const v8s = pairsOf("--v8").map(([name, node]) => ourSubject(name, "v8", { node }));
const ours =
  natives.length + v8s.length > 0 ? [...natives, ...v8s] : [ourSubject("native", "native"), ourSubject("v8", "v8")];
const report: Record<string, unknown> = { date: new Date().toISOString(), node: process.versions.node, rounds };

if (references.length > 0) {
  say(`== goals: ${rounds} rounds, subjects in turn; average [min-max]\n`);
  report["goals"] = await compareWithReferences([...ours, ...references], rounds, axes, say);
}
if (axes.length === 0) {
  say("== start-up: from entering `schbench-ts -m 1 -t 2` to the start of the clock, ms\n");
  for (const subject of ours.slice(0, 2)) {
    const times = (await timeToClock(subject, 7)).toSorted((a, b) => a - b);
    say(`${subject.name.padEnd(12)} median ${times[3]} [${times[0]}-${times[6]}]\n`);
    report[`clock ${subject.name}`] = times;
  }
  say("== threads: until all are up, and what they add to the resident set of the idle process\n");
  for (const [engine, most] of [
    ["native", 4096],
    ["v8", 64],
  ] as const) {
    for (const workers of [2, 16, 64, 256, 1024, 4096].filter((count) => count <= most)) {
      const cost = await threadCost(engine, workers);
      say(
        `${engine.padEnd(7)} ${String(cost.threads).padStart(5)} threads: ${cost.upMsec.toFixed(0).padStart(6)} ms, ${(cost.residentKib / 1024).toFixed(1)} MiB (${(cost.residentKib / cost.threads).toFixed(0)} KiB each)\n`,
      );
      report[`threads ${engine} ${workers}`] = cost;
    }
  }
  say("== beside the benchmark threads: ms of CPU time per second of the measured time\n");
  for (const subject of ours.slice(0, 2))
    for (const { name, msecPerSec } of await whatRunsBeside(subject))
      say(`${subject.name.padEnd(12)} ${name}: ${msecPerSec.toFixed(2)}\n`);
  say("== rates within capacity: paced arrivals, -n 0 -s 0, 5 s\n");
  for (const rate of [100, 1000, 20_000]) {
    const subject = ours[0];
    if (subject === undefined) break;
    const { rate: outcome, measuredSec } = await runSubject(subject, [
      "-m",
      "1",
      "-t",
      "2",
      "-n",
      "0",
      "-s",
      "0",
      "-r",
      "5",
      "-R",
      String(rate),
    ]);
    const delivered = (outcome?.sent ?? 0) / (measuredSec ?? 1);
    const late = outcome?.lateness?.percentiles.map(({ percentile, value }) => `p${percentile} ${value}`).join(", ");
    say(
      `-R ${rate}: ${delivered.toFixed(2)}/s (${((delivered / rate - 1) * 100).toFixed(3)} %), late by (us): ${late}\n`,
    );
    report[`rate ${rate}`] = outcome;
  }
  say("== building blocks, ns\n");
  const costs = await hostCosts();
  for (const { engine, what, nsec } of costs)
    say(`${engine.padEnd(20)} ${what.padEnd(26)} ${nsec.toFixed(nsec < 10 ? 3 : 0)}\n`);
  report["costs"] = costs;
}
const file = valuesOf("--json")[0];
if (file !== undefined) writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`);
