/** What `schbench-ts help TOPIC` explains beyond the commands. */
import { EXIT } from "../../errors.js";
import { SCHED_ATTRIBUTES, SCHED_POLICIES, writtenForm } from "../../model/plan/sched-table.js";
import { AUTO_RPS_SEED, SLOW_WAKEUPS_PER_THREAD } from "../../options/run/run-options.js";
import { cgroupHelp } from "../../options/values/cgroup-language.js";
import { loadHelp } from "../../options/values/load-language.js";
import { MAX_TRANSFER_BYTES } from "../../options/run/run-table.js";

/** One topic; the text is paragraphs. Lines that start with two spaces are kept as they are. */
export interface HelpTopic {
  readonly summary: string;
  readonly paragraphs: readonly string[];
  /** A list behind them: names and what they mean. */
  readonly rows?: readonly (readonly [name: string, meaning: string])[];
}

const EXIT_MEANINGS = {
  ok: "success; for a comparison: no difference shown, everything inside",
  failure: "a wrong command line, or the command failed",
  different: 'the verdict is "different" or "outside"',
  undecided: "the verdict is undecided: more rounds are needed",
  skipped: "with --bisect: undecided or not measured, which git bisect run skips",
  interrupted: "ended early by SIGINT, with the full report; a second SIGINT ends at once",
  hungUp: "ended early by SIGHUP (the terminal was closed), with the full report",
  terminated: "ended early by SIGTERM, with the full report",
} as const satisfies Record<keyof typeof EXIT, string>;

const exitLines = Object.values(EXIT).map(
  (code, index) => `  ${String(code).padStart(3)}  ${Object.values(EXIT_MEANINGS)[index]}`,
);

/** Every policy and attribute, with the kernel that brought it. */
const schedRows = [...SCHED_POLICIES, ...SCHED_ATTRIBUTES].map(
  (entry) => [writtenForm(entry), `${entry.meaning} (Linux ${entry.since})`] as const,
);

/** Every topic by its name. */
export const HELP_TOPICS: Readonly<Record<string, HelpTopic>> = {
  cycle: {
    summary: "what the benchmark threads do, and what is measured",
    paragraphs: [
      "Each message thread has its own workers. A worker queues itself, wakes its message thread and sleeps. The message " +
        "thread takes the whole queue, reads the clock once and wakes every worker on it. Wakeup latency runs from that " +
        "reading to the worker running again.",
      "Then the worker does one request: it sleeps (-s), takes the lock of its CPU (unless -L), and multiplies matrices (-n " +
        "times, of the footprint -F). Request latency is the time this takes; -C leaves the sleep out.",
    ],
  },
  cgroup: {
    summary: "control groups for workers, message threads and loads",
    paragraphs: [
      "--worker-cgroup, --message-cgroup and --load-cgroup each make a control group (version 2) for the run, put the threads of that role into it before they begin their work, and remove it afterwards. Settings are combined with commas:",
      cgroupHelp().join("\n"),
      "The groups lie side by side in the group of this process, so their weights count against each other and against what else is there. Where the cpu controller is not delegated to that group, root gets one at the top for the run. What each group used, how often its limit stopped it and how long its threads waited is in the report and in the JSON.",
      "The next run removes what a killed run left behind. Without root: systemd-run --user --scope -p Delegate=yes schbench-ts …",
    ],
  },
  load: {
    summary: "what can run beside the benchmark (--load), and what is counted of it",
    paragraphs: [
      "Loads begin before the threads of the benchmark are created and end with the run. Those built in need nothing installed:",
      loadHelp().join("\n"),
      "Each counts its work: first alone, for 0.3 s, then beside the benchmark. The difference is what the benchmark took from it. What it took from the benchmark is the difference to a run without it: schbench-ts sweep --vary load=none,spin:4.",
      "A command is started without a shell (sh -c '…' is one), and ends with everything that it has started. If it ends by itself, the run ends with an error that shows its last output.",
      "--load-cpus puts all loads on a list of CPUs, --load-cgroup into a control group (help cgroup); the benchmark's threads stay as they are.",
    ],
  },
  "rate-mode": {
    summary: "requests at a rate: -R, -A, --pacing",
    paragraphs: [
      "With -R the message threads offer requests at a rate, whether or not the workers keep up. The rate is the total over " +
        "all message threads. A worker with more than 128 requests pending gets none: that request is dropped and counted.",
      "--pacing paced spaces the requests evenly. --pacing burst sends a whole second's batch at once, then sleeps for what is " +
        "left of the second, as the C program does.",
      "Response latency runs from the moment a request was due to its end, so waiting in the queue is included. --details and " +
        "the JSON have it, with the numbers of offered, sent and dropped requests.",
      `-A PERCENT adjusts the rate until the CPUs are that busy, starting from -R or from ${AUTO_RPS_SEED} per second. The RPS ` +
        "samples start when the target is hit; a target that was never hit is reported as such.",
    ],
  },
  "pipe-mode": {
    summary: "passing pages back and forth: -p",
    paragraphs: [
      "With -p N a worker fills a page of N bytes before it queues itself, and the message thread fills that page before it " +
        "wakes the worker: the work is moving the page between their caches. -F, -n, -s, --split and the locks are not used.",
      `N is at most ${MAX_TRANSFER_BYTES}; k and m are accepted (-p 64k). The transfer rate printed is per worker; the JSON ` +
        "has the total as well. -p cannot be combined with -R or -A.",
    ],
  },
  pinning: {
    summary: "which CPUs the threads use: -M, -W",
    paragraphs: [
      "A CPU list holds ids and ranges, separated by commas: 0-3,8. A CPU that is offline or outside the control group's cpuset is " +
        "refused. The mask this process was started with (taskset) is no limit, so isolated CPUs (isolcpus=) can be used.",
      "-M LIST pins message thread i to the i-th CPU of the list, wrapping around at its end. The workers are not pinned.",
      "-W LIST lets every worker use all CPUs of the list. Without -M it applies to the message threads too.",
      "-M auto gives message thread i the i-th CPU of the mask this process was started with, and the workers all others; it is an error if none " +
        "is left. -W auto means the same.",
      "The JSON has the affinity mask of every thread.",
    ],
  },
  sched: {
    summary: "scheduling attributes of the threads: policy, nice, slice, uclamp",
    paragraphs: [
      "--worker-sched and --message-sched take a policy and attributes, joined by commas: batch,nice=5,slice=3000. A plus joins " +
        "them too, for places where commas separate other things: sweep --vary worker-sched=other,batch+nice=5,slice=500.",
      "--worker-group COUNT:ATTRIBUTES gives the first COUNT workers of each message thread attributes of their own; repeat it " +
        "for more groups. The workers in no group form the group rest; --worker-sched sets theirs. Every group has its own " +
        "latencies in all reports, and its own metrics in comparisons:",
      "  schbench-ts -t 8 --worker-group short=4:slice=500\n" +
        "  schbench-ts ab --subject a --subject b --flags b='--worker-sched batch' \\\n" +
        "    --metrics short.wakeup-p99 -- -t 8 --worker-group short=4:slice=500",
      "A group without a name is g1, g2 and so on, by its place.",
      "Policy and nice that are not named stay as this process has them (nice, chrt); nice and slice alone make a real-time " +
        "process's threads other. Each thread takes its attributes itself, a message thread after it has created its workers: " +
        "they do not inherit them. The JSON has what is in force for each thread. A value that the kernel cuts or ignores " +
        "is a warning with both numbers.",
      "fifo, rr, deadline and a nice value below that of this process need root (CAP_SYS_NICE) or the limits RLIMIT_RTPRIO and " +
        "RLIMIT_NICE. Real-time threads that never sleep keep all others off their CPUs: where the machine does not limit them " +
        "(kernel.sched_rt_runtime_us is -1), they are refused without --unthrottled.",
    ],
    rows: schedRows,
  },
  json: {
    summary: "the machine-readable result: -j, -J",
    paragraphs: [
      "-j FILE writes one JSON object; - is standard output, where nothing else is written. The file is opened before the run " +
        "starts and is complete even when the run is interrupted.",
      'The keys "normal" and "int" have the names and types of the C program\'s output:',
      `  jq '.int."wakeup_latency_pct99.0"' result.json`,
      "A third key holds the complete result: histograms, counts, threads, intervals, host facts and warnings. A distribution " +
        "without a sample is null there, never 0.",
    ],
  },
  comparing: {
    summary: "is a difference real? ab, compare, sweep, validate",
    paragraphs: [
      "One run says little: measuring the same thing twice gives two numbers. ab interleaves the subjects in random order, runs " +
        "each a fixed number of times, and only then judges each metric: the ratio, its interval, and whether the difference " +
        "is more than chance and more than the metric's noise floor. Where no difference is shown it prints ~.",
      "Flags after -- go to the benchmark and are the same for every subject:",
      "  schbench-ts ab --subject a --subject b --flags b='-n 6' -- -m 1 -t 2 -r 10",
      "Each run is stored when it ends: the same command with the same --store continues where it stopped, and compare judges stored " +
        "runs again. With --check the exit code gives the verdict (schbench-ts help exit-codes).",
      "A subject may have shell commands before and after each of its runs:",
      "  schbench-ts ab --subject eevdf --subject lavd \\\n" +
        "    --setup lavd='scx_lavd & sleep 2; kill -0 $!' -- -m 2 -t 16 -r 30\n" +
        "  schbench-ts ab --subject base --subject batch \\\n" +
        "    --setup batch='./switch-on' --teardown batch='./switch-off' -- -r 30",
      "Whatever the set-up leaves in the background is ended after the run; what it starts with setsid stays: end that in the tear-down. " +
        "ab takes subjects times (runs + warm-up) times -r: 140 seconds for two subjects, six runs and -r 10.",
    ],
  },
  explain: {
    summary: "why a wakeup was slow: --explain, --break",
    paragraphs: [
      `--explain keeps the ${SLOW_WAKEUPS_PER_THREAD} slowest wakeups of each thread and the kernel's trace of the run, and says ` +
        "where the time of each went: interrupts, another thread on the CPU, an idle CPU waking up, or an idle CPU that was " +
        "not used. It needs root and tracefs; schbench-ts doctor says what is missing.",
      "The worst ten are listed: latency, worker, cause, who had the CPU longest, and in brackets the microseconds from one " +
        "point to the next: stamp (the waker read the clock), waking and wakeup (the kernel made the worker runnable), " +
        "switched-in (it got a CPU), run (it read the clock).",
      "--break USEC stops at the first wakeup slower than that.",
      "Tracing costs time: do not compare a traced run with an untraced one.",
    ],
  },
  "exit-codes": { summary: "what the exit codes mean", paragraphs: [exitLines.join("\n")] },
  environment: {
    summary: "environment variables and streams",
    paragraphs: [
      "NO_COLOR: any value turns colours off. They are on only when the output is a terminal.",
      "The text report of a run goes to standard error, as in the C program; standard output has only what -j - asks for. All " +
        "other commands write their results to standard output.",
    ],
  },
};
