/** Who created and who woke the threads of a command, as the kernel traced it in an instance of its own. */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { explainReadiness } from "../../../src/explain/trace/tracefs.js";
import { nodeTracefs } from "../../../src/explain/trace/tracefs-node.js";

/** One thread creates or wakes another. */
export interface BirthEvent {
  readonly what: "created" | "woken";
  /** Thread id of who did it, and the CPU on which it stood. */
  readonly by: number;
  readonly onCpu: number;
  /** Thread id of whom it was done to. */
  readonly tid: number;
}

const { directory, missing } = explainReadiness(nodeTracefs());

/** Why there is no tracing here; false where there is. */
export const noTracing: string | false = missing.length > 0 ? missing.map(({ what }) => what).join("; ") : false;

const EVENTS = ["sched/sched_process_fork", "sched/sched_waking"] as const;
const LINE = /^\s*\S.*-(\d+)\s+\[(\d+)\]\s+\S+\s+[\d.]+: (\w+): (.*)$/u;

const parseLine = (line: string): readonly BirthEvent[] => {
  const [, by, cpu, event, text = ""] = LINE.exec(line) ?? [];
  // A thread has its name when it comes to its gate; what wakes it before is Node's own start.
  const tid = /child_pid=(\d+)/u.exec(text)?.[1] ?? /comm=schbench-\w+ pid=(\d+)/u.exec(text)?.[1];
  if (tid === undefined) return [];
  const what = event === "sched_process_fork" ? "created" : "woken";
  return [{ what, by: Number(by), onCpu: Number(cpu), tid: Number(tid) }];
};

/** What happened while a piece of work went on, in the order of time. */
export const traceBirths = async (work: () => Promise<void>): Promise<readonly BirthEvent[]> => {
  const instance = `${directory}/instances/schbench-ts-births-${process.pid}`;
  const write = (file: string, text: string): void => writeFileSync(`${instance}/${file}`, text);
  mkdirSync(instance);
  try {
    write("buffer_size_kb", "4096");
    // This process and what it starts, however busy the rest of the system is.
    write("options/event-fork", "1");
    write("set_event_pid", readdirSync("/proc/self/task").join(" "));
    for (const event of EVENTS) write(`events/${event}/enable`, "1");
    await work();
    write("tracing_on", "0");
    return readFileSync(`${instance}/trace`, "utf8").split("\n").flatMap(parseLine);
  } finally {
    for (const event of EVENTS) write(`events/${event}/enable`, "0");
    rmdirSync(instance);
  }
};
