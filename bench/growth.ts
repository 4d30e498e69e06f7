/**
 * Does it grow? Stores made from a seed, judged and drawn, each beside what it is to cost at most:
 *   npm run bench -- --only growth [--largest RUNS]
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LargeStore, writeLargeStore } from "./large-stores.js";
import { timed } from "./timed-command.js";

const MB = 1e6;

/** What is to be held. */
interface GrowthGoal {
  readonly sec: number | null;
  readonly peakMb: number | null;
  readonly pageMb: number | null;
}

interface GrowthCase {
  readonly name: string;
  readonly store: LargeStore;
  readonly page: boolean;
  readonly goal: GrowthGoal;
}

const STORE: LargeStore = { runs: 1000, seconds: 30, cells: 1, machines: 1, seed: 1 };
const NONE: GrowthGoal = { sec: null, peakMb: null, pageMb: null };

/** The cases; of the largest store one tenth, too: how time and memory grow is read off the two. */
const growthCases = (largest: number): readonly GrowthCase[] => [
  { name: "compare, 1,000 runs", store: STORE, page: false, goal: { ...NONE, sec: 2, peakMb: 300 } },
  { name: "report, 1,000 runs", store: STORE, page: true, goal: { ...NONE, sec: 5, pageMb: 3 } },
  {
    name: "compare, 16 cells × 2 × 10",
    store: { ...STORE, runs: 320, seconds: 10, cells: 16 },
    page: false,
    goal: { ...NONE, sec: 3 },
  },
  ...[largest / 10, largest].map((runs) => ({
    name: `compare, ${runs.toLocaleString("en")} runs of 200 machines`,
    store: { ...STORE, runs, seconds: 2, machines: 200 },
    page: false,
    goal: NONE,
  })),
];

const against = (value: number, goal: number | null, unit: string): string =>
  goal === null ? "" : ` (goal ${goal} ${unit}: ${value <= goal ? "met" : "missed"})`;

/** Makes, judges and prints one case; gives what is kept of it. */
const measure = async ({ name, store, page, goal }: GrowthCase, folder: string, say: (text: string) => void) => {
  const [path, html] = [join(folder, "store.ndjson"), join(folder, "page.html")];
  await writeLargeStore(path, store);
  const took = await timed(page ? ["report", path, "-o", html] : ["compare", path]);
  const [storeMb, peakMb, pageMb] = [
    statSync(path).size / MB,
    took.peakBytes / MB,
    page ? statSync(html).size / MB : 0,
  ];
  say(
    `${name}: ${storeMb.toFixed(0)} MB read; ${took.sec.toFixed(1)} s${against(took.sec, goal.sec, "s")}, ` +
      `${took.cpuSec.toFixed(1)} s of CPU, ${peakMb.toFixed(0)} MB${against(peakMb, goal.peakMb, "MB")}` +
      `${page ? `, page ${pageMb.toFixed(1)} MB${against(pageMb, goal.pageMb, "MB")}` : ""}, ${took.how}\n`,
  );
  return { name, storeMb, sec: took.sec, cpuSec: took.cpuSec, peakMb, pageMb };
};

/** All cases, one after the other. */
export const benchGrowth = async (largest: number, say: (text: string) => void) => {
  const folder = mkdtempSync(join(tmpdir(), "schbench-growth-"));
  try {
    const rows = [];
    for (const one of growthCases(largest)) rows.push(await measure(one, folder, say));
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
