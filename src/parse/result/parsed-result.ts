/** A run result in which nothing is known yet: what a reader fills in. */
import { ParseError } from "../../errors.js";
import { bucketSlack } from "../../model/result/distribution-check.js";
import { RUN_RESULT_VERSION, type RunResult, runResult, type Warning } from "../../model/result/run-result.js";
import { schemaFault } from "../../model/schema-fault.js";
import { isLostSchedDelay, upstreamArtefacts } from "../../text/upstream-artefacts.js";
import { type CommandWords, commandFacts } from "./command-words.js";
import type { Era } from "./eras.js";

/** The result of a parsed run before anything is known of it. */
export const unknownResult = (era: Era, file: string, line: number): RunResult => ({
  format: "schbench-ts/run-result",
  version: RUN_RESULT_VERSION,
  source: { kind: "parsed", era, file, line },
  jobname: null,
  commandLine: null,
  startedAt: null,
  plan: null,
  mode: null,
  interrupted: false,
  runtimeSec: null,
  measuredSec: null,
  wakeup: null,
  request: null,
  response: null,
  rps: null,
  averageRps: null,
  loops: null,
  rate: null,
  transfer: null,
  schedDelay: null,
  intervals: [],
  seconds: [],
  phases: [],
  threads: [],
  groups: [],
  slowWakeups: [],
  fingerprint: null,
  explanation: null,
  host: null,
  environment: null,
  warnings: [],
});

/** What is known of a rate run that only its output tells of; upstream sends in bursts. */
export const unknownRate = (): NonNullable<RunResult["rate"]> => ({
  askedPerSec: null,
  pacing: "burst",
  offered: null,
  sent: null,
  dropped: null,
  lateness: null,
  finalGoalPerSec: null,
  targetBusyPercent: null,
  targetHit: null,
});

/** Adds what the command line tells: itself, the mode and the asked rate. */
export const withCommand = (result: RunResult, words: CommandWords | null): RunResult => {
  if (words === null) return result;
  const { mode, requestsPerSec, autoBusyPercent } = commandFacts(words);
  const rate = mode === "rate" ? (result.rate ?? unknownRate()) : result.rate;
  return {
    ...result,
    commandLine: [...words],
    mode: result.mode ?? mode,
    rate: rate && {
      ...rate,
      askedPerSec: rate.askedPerSec ?? requestsPerSec,
      targetBusyPercent: rate.targetBusyPercent ?? autoBusyPercent,
    },
  };
};

/** The doubt about a minimum above a percentile; null: there is none. */
export const minimumDoubt = (
  name: string,
  min: number | null,
  rows: readonly { readonly percentile: number; readonly value: number }[],
): Warning | null => {
  const below = rows.find((row) => row.value > 0 && min !== null && bucketSlack(row.value) < min);
  return below === undefined
    ? null
    : {
        code: "minimum-too-high",
        message: `the ${name} minimum (${min}) is above percentile ${below.percentile} (${below.value}): an idle worker reset it`,
        cure: null,
      };
};

/** A result that was put together from a foreign output, when its numbers agree with each other; throws ParseError. */
export const checkedResult = (result: RunResult, file: string, line: number): RunResult => {
  const parsed = runResult.safeParse(result);
  if (parsed.success) return result;
  throw new ParseError(`contradiction: ${schemaFault(parsed.error, result)}`, file, line);
};

const lostDelay: Warning = {
  code: "sched-delay-lost",
  message: "the final sched delay of 0 0 was read after the threads had gone; it is taken as unknown",
  cure: "use the sched delay of the last interval report",
};

/** A result of upstream with its known mistakes taken out or warned of. */
export const withDoubts = (result: RunResult): RunResult => {
  const lost = isLostSchedDelay(result.schedDelay);
  return {
    ...result,
    schedDelay: lost ? null : result.schedDelay,
    warnings: [...result.warnings, ...(lost ? [lostDelay] : []), ...upstreamArtefacts(result)],
  };
};
