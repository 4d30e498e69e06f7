/** What starting costs: the time to the first request, threads by number, memory. Each in fresh processes. */
import { readdirSync, readFileSync } from "node:fs";
import { resultIn } from "../test/helpers/run-invariants.js";
import { type BenchSubject, runText } from "./subjects.js";

/** Milliseconds from entering the command to the start of the run's clock. */
export const timeToClock = async (subject: BenchSubject, repeats: number): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let i = 0; i < repeats; i++) {
    const entered = Date.now();
    const { stdout } = await runText([...subject.argv, "-m", "1", "-t", "2", "-r", "1", "-j", "-"], subject.env);
    times.push(new Date(resultIn(stdout).startedAt ?? 0).getTime() - entered);
  }
  return times;
};

/** Threads of a run by their number. */
export interface ThreadCost {
  readonly threads: number;
  /** From the call that starts the first until the last is up. */
  readonly upMsec: number;
  readonly residentKib: number;
}

const CHILD = new URL("./start-threads.js", import.meta.url).pathname;

/** Cost of so many workers on an engine. */
export const threadCost = async (engine: "native" | "v8", workers: number): Promise<ThreadCost> => {
  const { stdout } = await runText([process.execPath, CHILD, engine, String(workers)]);
  const parsed: unknown = JSON.parse(stdout);
  const read = (name: string): number =>
    typeof parsed === "object" && parsed !== null
      ? Number(Object.entries(parsed).find(([key]) => key === name)?.[1])
      : Number.NaN;
  return { threads: read("threads"), upMsec: read("upMsec"), residentKib: read("residentKib") };
};

/** CPU time that threads other than the benchmark's used, per second of the measured time, by thread name. */
export interface Beside {
  readonly name: string;
  readonly msecPerSec: number;
}

const threadTimes = (pid: number): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  for (const tid of readdirSync(`/proc/${pid}/task`)) {
    const name = readFileSync(`/proc/${pid}/task/${tid}/comm`, "utf8").trim();
    if (name.startsWith("schbench-")) continue;
    const nsec = Number(readFileSync(`/proc/${pid}/task/${tid}/schedstat`, "utf8").split(" ")[0]);
    times.set(tid === String(pid) ? "main thread" : `${name} ${tid}`, nsec);
  }
  return times;
};

const pause = (msec: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, msec));

/** What runs beside the benchmark threads between two moments of one run. */
export const whatRunsBeside = async (subject: BenchSubject): Promise<readonly Beside[]> => {
  const seconds = 8;
  let pid = 0;
  const ended = runText([...subject.argv, "-m", "1", "-t", "2", "-r", "11"], subject.env, (id) => (pid = id));
  await pause(1500);
  const before = threadTimes(pid);
  await pause(seconds * 1000);
  const after = threadTimes(pid);
  await ended;
  return [...after].map(([name, nsec]) => ({
    name: name.replace(/ \d+$/u, ""),
    msecPerSec: (nsec - (before.get(name) ?? 0)) / 1e6 / seconds,
  }));
};
