/**
 * `schbench-ts run`, and what happens without a command: one run of the benchmark.
 *
 * On the way to the first request nothing is loaded that the run itself does not need; reports beyond upstream's are
 * imported when they are written.
 */
import { EXIT, type ExitCode, interruptionCode } from "../../errors.js";
import { parseCommandLine } from "../../options/line/command-line.js";
import { type OutputChoices, resolveRun } from "../../options/run/run-options.js";
import { runOptions } from "../../options/run/run-table.js";
import { readMachineHere } from "../../platform/machine/machine-here.js";
import { NO_PROC } from "../../platform/machine/environment-warnings.js";
import { hostFiles } from "../../platform/files.js";
import type { RunResult } from "../../model/result/run-result.js";
import { schbenchJson } from "../../text/schbench-json.js";
import { finalReport, intervalReport } from "../../text/schbench-text.js";
import { warningsText } from "../../text/warnings-text.js";
import type { RunRequest } from "../../engine/run-request.js";
import type { Explanation } from "../../explain/explanation.js";
import type { Command, Io } from "../io/command.js";
import { openOutput, refuseClosed, refuseSameFile } from "../io/output-file.js";
import { createStatusLine } from "../io/status-line.js";
import { packageVersion } from "../../platform/package-version.js";

/** The code that an interruption carries. */
const exitCodeOf = ({ interrupted }: Io): ExitCode => (interrupted.aborted ? interruptionCode(interrupted) : EXIT.ok);

const startTracing = async () => {
  const [{ startExplaining }, { nodeTracefs, processTids }] = await Promise.all([
    import("../../explain/explain-session.js"),
    import("../../explain/trace/tracefs-node.js"),
  ]);
  return startExplaining(nodeTracefs(), hostFiles, processTids);
};

const takeFingerprint = async () => {
  const [{ startFingerprint }, { nodeTracefs }] = await Promise.all([
    import("../../fingerprint/trace-session.js"),
    import("../../explain/trace/tracefs-node.js"),
  ]);
  return startFingerprint(nodeTracefs(), process.arch);
};

const textOf = async (result: RunResult, explanation: Explanation | null, output: OutputChoices): Promise<string> => {
  let text = finalReport(result);
  if (result.groups.length > 0) text += (await import("../../text/groups-text.js")).groupsReport(result);
  if (result.loads !== undefined || result.cgroups !== undefined)
    text += (await import("../../text/beside-text.js")).besideReport(result);
  if (output.details) text += (await import("../../text/details-text.js")).detailsReport(result);
  if (explanation !== null) text += (await import("../../explain/explain-text.js")).explainText(explanation);
  return text + warningsText(result.warnings);
};

const htmlOf = async (result: RunResult): Promise<string> => {
  const { renderHtml } = await import("../../render/reports/html-report.js");
  return renderHtml({ kind: "run", runs: [result] });
};

/** Runs the benchmark. */
export const runCommand: Command = {
  name: "run",
  summary: "run the benchmark (the default without a command)",
  run: async (argv, io) => {
    const { options } = parseCommandLine(argv, runOptions);
    const { plan, output, preamble } = resolveRun(options, readMachineHere(hostFiles));
    const say = (text: string): void => io.stderr.write(text);
    // Opened before anything runs, so that a place that cannot be written is known now and not after an hour.
    refuseSameFile([
      ["--json", output.jsonFile],
      ["--html", output.htmlFile],
    ]);
    refuseClosed(io.stderr, "standard error");
    const json = openOutput(output.jsonFile, io);
    const html = openOutput(output.htmlFile, io);
    const tracing = output.explain ? await startTracing() : null;
    const counting = output.fingerprint ? await takeFingerprint() : null;
    for (const line of preamble) say(`${line}\n`);
    if (!hostFiles.exists("/proc/self/status")) say(warningsText([{ code: "no-proc", ...NO_PROC }]));

    const status = createStatusLine(io, plan.runtimeSec, output.quiet);
    const { runEngine } = await import("../../engine/run.js");
    const request: RunRequest = {
      plan,
      files: hostFiles,
      signal: io.interrupted,
      jobname: output.jobname,
      commandLine: ["schbench-ts", ...argv],
      version: packageVersion(),
      phases: false,
      hooks: {
        onStarting: status.starting,
        onStarted: (control) => {
          status.clear();
          counting?.begin();
          counting?.watch();
          tracing?.watch(control.slowWakeups);
        },
        onSecond: status.second,
        onWarmupDone: () => {
          counting?.begin();
          status.around(() => say("warmup done, zeroing stats\n"));
        },
        onInterval: (interval) => {
          if (!output.quiet) status.around(() => say(intervalReport(interval)));
        },
        onStopped: () => {
          counting?.stop();
          tracing?.stop();
        },
      },
    };
    try {
      const outcome = await runEngine(request).finally(status.clear);
      const explanation = tracing?.explain(outcome.result) ?? null;
      const counted = counting?.addTo(outcome.result) ?? outcome.result;
      const result: RunResult = { ...counted, explanation };
      say(await textOf(result, explanation, output));
      await json?.write(schbenchJson(result));
      await html?.write(await htmlOf(result));
      return exitCodeOf(io);
    } finally {
      counting?.close();
      tracing?.close();
    }
  },
};
