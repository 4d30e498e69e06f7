/** Where the runs of a grid were made, in the three lines that a post begins with: kernels, machine, command. Pure. */
import type { SubjectRuns } from "../../compare/comparison-warnings.js";
import { kernelOf } from "../../model/result/run-kernel.js";
import type { RunResult } from "../../model/result/run-result.js";

/** Three lines; each says so where nothing is known. */
export interface GridOrigin {
  readonly kernels: string;
  readonly machine: string;
  readonly command: string;
}

/** What a line says where nothing is known. */
export const NOT_KNOWN = "not known";

const distinct = (values: readonly (string | null | undefined)[]): readonly string[] => [
  ...new Set(values.filter((value) => value !== null && value !== undefined)),
];

const kernelsOf = (subjects: readonly SubjectRuns[]): string => {
  const ofSubjects = subjects.map(({ name, runs }) => ({ name, kernels: distinct(runs.map(kernelOf)).join(", ") }));
  const all = distinct(ofSubjects.map(({ kernels }) => kernels));
  const [only = ""] = all;
  if (all.length <= 1) return only === "" ? NOT_KNOWN : only;
  return ofSubjects.map(({ name, kernels }) => `${name} ${kernels === "" ? NOT_KNOWN : kernels}`).join("; ");
};

const machineOf = (runs: readonly RunResult[]): string => {
  const machines = distinct(
    runs.map(({ host }) =>
      host === null
        ? undefined
        : [
            host.cpuModel ?? "CPU not known",
            `${host.cpusOnline} CPUs`,
            ...(host.virtualization === null || host.virtualization === "none" ? [] : [host.virtualization]),
          ].join(", "),
    ),
  );
  return machines.length === 0 ? NOT_KNOWN : machines.join("; ");
};

/** The origin of some runs; `command` is the experiment's command line, null where it is not known. */
export const originOf = (subjects: readonly SubjectRuns[], command: string | null): GridOrigin => ({
  kernels: kernelsOf(subjects),
  machine: machineOf(subjects.flatMap(({ runs }) => runs)),
  command: command ?? NOT_KNOWN,
});
