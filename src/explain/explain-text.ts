/** The explanation as text, printed after the report: causes with their shares, then the worst wakeups in a line each. */
import { at } from "../at.js";
import { CAUSES, MISSING_EVIDENCE } from "./causes.js";
import type { Explanation, WakeupExplanation } from "./explanation.js";

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;

const duration = (usec: number): string =>
  usec >= 100_000
    ? `${(usec / 1000).toFixed(0)} ms`
    : usec >= 10_000
      ? `${(usec / 1000).toFixed(1)} ms`
      : `${usec.toFixed(usec < 100 ? 1 : 0)} us`;

type Runner = WakeupExplanation["ran"][number];

const priorityText = ({ schedClass, priority, policy }: Runner): string => {
  if (schedClass === "deadline") return "deadline";
  if (schedClass === "realtime")
    return `${policy === "fifo" || policy === "rr" ? policy : "realtime"} ${99 - priority}`;
  if (policy === "idle") return policy;
  const nice = `nice ${priority - 120}`;
  return policy === "batch" || policy === "ext" ? `${policy}, ${nice}` : nice;
};

/** What is known of who ran: `nice 0`, `batch, nice 5, group short`, `nice 0, group /system.slice/backup.service`. */
const whoText = (runner: Runner): string =>
  runner.group === null ? priorityText(runner) : `${priorityText(runner)}, group ${runner.group}`;

/** Whose thread is behind a cause; null: anybody's. */
const SIDE_OF_CAUSE = {
  "foreign-task": "foreign",
  "own-thread": "benchmark",
  harness: "harness",
  migration: null,
  "preempted-waker": null,
} as const;

/** Who told the idle CPU that there is a thread for it. */
const kickText = ({ kick }: WakeupExplanation): string => {
  if (kick === null) return "";
  const from = kick.tid === 0 ? `CPU ${kick.fromCpu}` : `${kick.comm}-${kick.tid} on CPU ${kick.fromCpu}`;
  return `, ${kick.how === "interrupt" ? "interrupted" : "found polling"} by ${from} at +${kick.atUsec.toFixed(1)}`;
};

const stealText = ({ steal }: WakeupExplanation): string =>
  steal
    .map(
      ({ cpu, usec, withinUsec }) => `; hypervisor took ${duration(usec)} of CPU ${cpu} within ${duration(withinUsec)}`,
    )
    .join("");

/** Cut off after the microseconds, as the kernel's text has them. */
const toUsec = (sec: string): string => sec.slice(0, -3);

/** Where a look-up in the trace finds it. */
const kernelText = ({ kernelSec, kernelTid }: WakeupExplanation): string =>
  kernelSec === null ? "" : ` kernel ${toUsec(kernelSec.from)} to ${toUsec(kernelSec.to)} thread ${kernelTid}`;

/** Who or what was behind the cause of a wakeup, in a few words. */
const culprit = (wakeup: WakeupExplanation): string => {
  switch (wakeup.cause) {
    case "foreign-task":
    case "own-thread":
    case "harness":
    case "migration":
    case "preempted-waker": {
      const heldUp = wakeup.cause === "preempted-waker" ? "waker" : "thread";
      const side = SIDE_OF_CAUSE[wakeup.cause];
      const isTheirs = (one: string): boolean => side === null || one === side;
      const runners = wakeup.ran.filter((one) => one.heldUp === heldUp && isTheirs(one.side));
      const [first] = runners;
      if (first === undefined) return "";
      const more = runners.length > 1 ? ` and ${runners.length - 1} more` : "";
      return `: ${first.comm}-${first.tid} (${whoText(first)}) ${duration(first.usec)} on CPU ${first.cpu}${more}`;
    }
    case "interrupt":
    case "softirq": {
      const [first] = wakeup.interrupts;
      return first === undefined ? "" : `: ${first.name} ${duration(first.usec)} on CPU ${first.cpu}`;
    }
    case "idle-exit":
      return wakeup.idleExit === null
        ? ""
        : `: CPU ${wakeup.idleExit.cpu} ${duration(wakeup.idleExit.usec)}${kickText(wakeup)}`;
    case "unknown":
      return `: ${wakeup.missing.map((evidence) => MISSING_EVIDENCE[evidence]).join("; ")}`;
    case "blocked-waker":
    case "busy-waker":
    case "stalled-cpu":
    case "kernel-path":
    case "slept-again":
    case "throttled":
      break;
  }
  return `: ${duration(at(wakeup.causes, 0).usec)}`;
};

const phasesText = ({ phases }: WakeupExplanation): string =>
  `stamp${phases.map(({ to, usec }) => ` +${usec.toFixed(1)} ${to}`).join("")}`;

const placementText = ({ placementMiss }: WakeupExplanation): string =>
  placementMiss.map(({ cpu, idleUsec }) => `; CPU ${cpu} stood idle ${duration(idleUsec)}`).join("");

/**
 * The text of an explanation, ending in a newline.
 *
 * The table counts each wakeup under the cause that most of its time went to, while its time is split among all causes.
 */
export const explainText = (explanation: Explanation): string => {
  const { slowWakeups, attributed, trace, causes, placementMisses, worst } = explanation;
  const lines = [
    `Why the slowest ${slowWakeups} wakeups were slow (${attributed} attributed, ${trace.events} kernel events, ${trace.lostEvents} lost)`,
  ];
  if (causes.length > 0) lines.push(`\t${"cause".padEnd(16)} ${"wakeups".padStart(15)} ${"time".padStart(18)}`);
  for (const { cause, wakeups, wakeupShare, usec, timeShare, who } of causes) {
    const names =
      who.length === 0 ? "" : `  ${who.map(({ name, usec: part }) => `${name} ${duration(part)}`).join(", ")}`;
    const counted = `${String(wakeups).padStart(7)} ${percent(wakeupShare).padStart(7)}`;
    const timed = `${duration(usec).padStart(10)} ${percent(timeShare).padStart(7)}`;
    lines.push(`\t${cause.padEnd(16)} ${counted} ${timed}${names}`);
  }
  if (placementMisses.wakeups > 0)
    lines.push(
      `\tplacement misses: ${placementMisses.wakeups} waited behind somebody while another allowed CPU stood idle (${duration(placementMisses.usec)})`,
    );
  for (const { evidence, wakeups } of explanation.missing)
    lines.push(`\tmissing evidence: ${MISSING_EVIDENCE[evidence]} (${wakeups})`);
  if (worst.length > 0) lines.push(`The worst ${worst.length}`);
  for (const wakeup of worst) {
    const what = `${wakeup.cause}${culprit(wakeup)}${placementText(wakeup)}${stealText(wakeup)}`;
    lines.push(
      `\t${duration(wakeup.latencyUsec).padStart(9)} worker ${wakeup.workerIndex}: ${what} [${phasesText(wakeup)}]${kernelText(wakeup)}`,
    );
  }
  const seen = causes.filter(({ wakeups }) => wakeups > 0).map(({ cause }) => `\t${cause}: ${CAUSES[cause]}`);
  return `${[...lines, ...(seen.length === 0 ? [] : ["Causes"]), ...seen].join("\n")}\n`;
};
