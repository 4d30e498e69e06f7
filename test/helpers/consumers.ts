/**
 * What other programs take from schbench's text, line by line: readers written for these tests after what those programs
 * look for (lkp-tests' programs/schbench/parse, mmtests' ExtractSchbench in both forms, DCPerf's benchpress parser,
 * avocado-misc-tests' cpu/schbench.py, workload-automation's schbench workload). Where theirs is careless, so is ours here:
 * a warning that theirs would take for a number must show.
 */

/** Names and numbers, in the order in which they are met; a number that is met again counts again. */
export type Taken = readonly (readonly [name: string, value: string])[];

/** A program that reads schbench's text. */
export type Consumer = (text: string) => Taken;

const linesOf = (text: string): readonly string[] => text.split("\n");
const wordsOf = (line: string): readonly string[] => line.trim().split(/\s+/);

/** Sections by the titles of tables; within them any line that names a percentile, and any that has the letters min. */
const lkpTests: Consumer = (text) => {
  const taken: [string, string][] = [];
  let section: string | null = null;
  const take = (name: string, value: string | undefined) => {
    if (section !== null) taken.push([`${section} ${name}`, String(Number.parseInt(value ?? "", 10) || 0)]);
  };
  for (const line of linesOf(text))
    if (line.startsWith("Wakeup Latencies percentiles")) section = "wakeup";
    else if (line.startsWith("Request Latencies percentiles")) section = "request";
    else if (line.startsWith("RPS percentiles")) section = null;
    else if (/50.0th/.test(line)) take("50%", wordsOf(line)[1]);
    else if (/90.0th/.test(line)) take("90%", wordsOf(line)[1]);
    else if (/99.0th/.test(line)) take("99%", wordsOf(line)[2]);
    else if (/99.9th/.test(line)) take("99.9%", wordsOf(line)[1]);
    else if (/min/.test(line)) {
      const [first = "", value, second = "", more] = wordsOf(line.replaceAll(/[,=]/g, " "));
      take(first, value);
      take(second, more);
    }
  return taken;
};

/** Any percentile behind a blank or a star, wherever it stands. */
const mmtestsOnce: Consumer = (text) =>
  linesOf(text).flatMap((line) => {
    const [, percentile, value] = /[ \t*]+(\d+\.\d+)th: (\d+)/.exec(line) ?? [];
    return percentile === undefined || value === undefined ? [] : [[percentile, value] as const];
  });

/** Of tables with samples in all reports but the last: percentiles that have samples, and every maximum. */
const mmtestsToday: Consumer = (text) => {
  const lines = linesOf(text);
  const reports = lines.filter((line) => /^Wakeup Latencies percentiles.*\((\d+) total samples/.test(line)).length;
  const taken: [string, string][] = [];
  let report = 0;
  let metric = "";
  let reads = false;
  for (const line of lines) {
    const [, title, total] = /^([a-zA-Z]+) Latencies percentiles.*\((\d+) total samples/.exec(line) ?? [];
    if (title !== undefined) {
      metric = title;
      if (title === "Wakeup") report++;
      reads = report !== reports && Number(total) > 0;
    } else if (line.startsWith("RPS percentiles")) metric = "RPS";
    else if (reads) {
      const [, percentile, value, samples] = /[ \t*]+(\d+\.\d+)th: (\d+).*\((\d+) samples/.exec(line) ?? [];
      if (Number(samples) > 0) taken.push([`${report} ${metric} ${percentile ?? ""}`, value ?? ""]);
      const [, max] = /max=(\d+)/.exec(line) ?? [];
      if (max !== undefined) taken.push([`${report} ${metric} max`, max]);
    }
  }
  return taken;
};

/** The last of each table, by its title anywhere in a line, as long as rows end with their count; any average. */
const dcPerf: Consumer = (text) => {
  const lines = linesOf(text);
  const starts = new Map<string, number>();
  let average: string | null = null;
  for (const [index, line] of lines.entries())
    if (line.includes("Wakeup Latencies percentiles")) starts.set("wakeup", index);
    else if (line.includes("Request Latencies percentiles")) starts.set("request", index);
    else if (line.includes("RPS percentiles")) starts.set("rps", index);
    else if (line.includes("average rps")) average = (line.split(":")[1] ?? "").trim();
  const taken: [string, string][] = average === null ? [] : [["average", average]];
  for (const [metric, start] of starts)
    for (const line of lines.slice(start + 1, start + 8)) {
      const [percentile = "", value, ...more] = line.replaceAll("*", "").trim().split(":");
      if (value === undefined || more.length > 0 || !line.endsWith("samples)")) break;
      taken.push([`${metric} ${percentile}`, value.trim().split(" ")[0] ?? ""]);
    }
  return taken;
};

const AVOCADO_TITLES = [
  "Wakeup Latencies percentiles",
  "Request Latencies percentiles",
  "RPS percentiles (requests)",
] as const;

/** From the last title of a wakeup table on: rows with counts, extremes, and an average at the start of a line. */
const avocado: Consumer = (text) => {
  const lines = linesOf(text);
  const last = lines.findLastIndex((line) => line.includes("Wakeup Latencies percentiles"));
  const taken: [string, string][] = [];
  let title: string | null = null;
  for (const line of last < 0 ? [] : lines.slice(last)) {
    title = AVOCADO_TITLES.find((one) => line.includes(one)) ?? title;
    const [, percentile, value, samples] = /^\s*\*?\s*(\d+\.\d+)th: (\d+)\s+\((\d+) samples\)/.exec(line) ?? [];
    const [, min, max] = /^\s*min=(\d+), max=(\d+)/.exec(line) ?? [];
    const [, average] = /^average rps: (\d+\.\d+)/.exec(line) ?? [];
    if (percentile !== undefined) taken.push([`${title ?? ""} ${percentile}`, `${value ?? ""} ${samples ?? ""}`]);
    else if (min !== undefined) taken.push([`${title ?? ""} extremes`, `${min} ${max ?? ""}`]);
    else if (average !== undefined) taken.push(["average", average]);
  }
  return taken;
};

const AUTOMATION = [
  "50.0th: ",
  "75.0th: ",
  "90.0th: ",
  "95.0th: ",
  "\\*99.0th: ",
  "99.5th: ",
  "99.9th: ",
  "min=",
  "max=",
];

/** Nine patterns anywhere in a line. */
const workloadAutomation: Consumer = (text) =>
  linesOf(text).flatMap((line) =>
    AUTOMATION.flatMap((label) => {
      const [, value] = new RegExp(String.raw`${label}(\d+)`).exec(line) ?? [];
      return value === undefined ? [] : [[label, value] as const];
    }),
  );

/** Every program that is known to read schbench's text. */
export const CONSUMERS = {
  "lkp-tests": lkpTests,
  "mmtests, every percentile": mmtestsOnce,
  "mmtests, by interval": mmtestsToday,
  DCPerf: dcPerf,
  avocado,
  "workload-automation": workloadAutomation,
} as const satisfies Readonly<Record<string, Consumer>>;
