/** From a caller's spec to the plan of a run on this machine. */
import { UsageError } from "../errors.js";
import { runArgv } from "../options/run/run-argv.js";
import { resolveRun } from "../options/run/run-options.js";
import type { RunPlan } from "../model/plan/run-plan.js";
import { readMachineHere } from "../platform/machine/machine-here.js";
import { hostFiles } from "../platform/files.js";
import type { SchbenchSpec } from "./run-spec.js";
import { optionsOf, textOf } from "./spec-options.js";

const MODES = ["closed-loop", "rate", "pipe"] as const satisfies readonly RunPlan["mode"][];

/** What a caller without a compiler may have got wrong. */
const checkKindAndMode = (spec: { readonly kind?: unknown; readonly mode?: unknown }, plan: RunPlan): void => {
  if (spec.kind !== "schbench") throw new UsageError(`invalid kind "${textOf(spec.kind)}": allowed is "schbench"`);
  const mode = MODES.find((name) => name === spec.mode);
  if (spec.mode !== undefined && mode === undefined)
    throw new UsageError(`invalid mode "${textOf(spec.mode)}": allowed is one of ${MODES.join(", ")}`);
  if (mode !== undefined && mode !== plan.mode)
    throw new UsageError(
      `the mode "${mode}" does not fit the other settings: they make it "${plan.mode}"`,
      "requestsPerSec or autoBusyPercent make it rate, transferBytes makes it pipe, none of them closed-loop.",
    );
};

/** The plan of settings that are not known to fit one mode; as planOf. */
export const planOfSettings = (spec: { readonly kind?: unknown; readonly mode?: unknown }): RunPlan => {
  const { plan } = resolveRun(optionsOf(spec), readMachineHere(hostFiles));
  checkKindAndMode(spec, plan);
  return plan;
};

/**
 * What a spec will do on this machine, every default resolved (worker threads follow from the CPUs that the calling
 * thread may use).
 *
 * @throws UsageError for an unknown setting, a value out of range, settings that contradict each other, and CPUs that
 *   no thread can be put on
 */
export const planOf = (spec: SchbenchSpec): RunPlan => planOfSettings(spec);

/** The command line that makes the same run: `["schbench-ts", "-m", "1", …]`. */
export const commandLineOf = (plan: RunPlan): readonly string[] => ["schbench-ts", ...runArgv(plan)];
