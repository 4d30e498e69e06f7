/** The options that the commands share which run experiments: who, how often, in which order, kept where. */
import type { Positionals } from "../../options/line/command-line.js";
import type { OptionSpec, OptionTable } from "../../options/line/option-table.js";

/** What stands behind the options: nothing, or `--` and the flags of every run. */
export const BENCHMARK_FLAGS: Positionals = { name: "argument", min: 0, max: 0, rest: "BENCHMARK-FLAGS" };

/** Who runs; each command adds what it means there. */
export const subjectsOption = {
  id: "subjects",
  kind: "text",
  long: ["subject"],
  group: "Subjects",
  valueName: "NAME[=COMMAND]",
  repeated: true,
} as const;

/** How often; each command adds what it means there. */
export const runsOption = {
  id: "runs",
  kind: "count",
  long: ["runs"],
  group: "Runs",
  min: 1,
  max: 10_000,
} as const;

/** How often before that; each command adds what it means there. */
export const warmupRunsOption = {
  id: "warmupRuns",
  kind: "count",
  long: ["warmup-runs"],
  group: "Runs",
  min: 0,
  max: 100,
  default: 1,
} as const;

/** Makes what is random the same every time. */
export const seedOption = {
  id: "seed",
  kind: "count",
  long: ["seed"],
  group: "Runs",
  meaning: "seed for the run order and the intervals",
  min: 0,
  max: 2_147_483_647,
  default: 1,
} as const satisfies OptionSpec;

/** How an experiment is carried out. */
export const conductOptions = [
  seedOption,
  {
    id: "store",
    kind: "file",
    short: "o",
    long: ["store"],
    group: "Output",
    meaning: "store the runs in this file; if it already holds this experiment, continue it",
    defaultText: "a new file named after the command and the time",
  },
  {
    id: "elsewhere",
    kind: "flag",
    long: ["elsewhere"],
    group: "Output",
    meaning: "go on with a file although its runs were made on another kernel, boot or machine",
  },
  { id: "quiet", kind: "flag", long: ["quiet"], group: "Output", meaning: "no progress on stderr" },
] as const satisfies OptionTable;

/** The options about runs as an experiment's header has them. */
export const repetitions = (options: {
  readonly runs: number;
  readonly warmupRuns: number;
  readonly seed: number;
}) => ({
  rounds: options.runs,
  warmupRounds: options.warmupRuns,
  seed: options.seed,
});
