/** The command line that runs a stored validation again. */
import type { ExperimentHeader } from "../../experiment/record.js";
import type { Cell, Subject } from "../../experiment/subject.js";
import { joinWords } from "../../options/values/shell-words.js";

const around = ({ name, flags, env, setup, prepare, teardown, launch }: Subject): readonly string[] => [
  ...(flags.length === 0 ? [] : ["--flags", `${name}=${joinWords(flags)}`]),
  ...Object.entries(env).flatMap(([key, value]) => ["--env", `${name}=${key}=${value}`]),
  ...(launch.kind === "engine" && launch.node !== null ? ["--node", `${name}=${launch.node}`] : []),
  ...(setup === null ? [] : ["--setup", `${name}=${setup}`]),
  ...(prepare === null ? [] : ["--prepare", `${name}=${prepare}`]),
  ...(teardown === null ? [] : ["--teardown", `${name}=${teardown}`]),
];

/** One length for all axes was asked for; else each has its own. */
const runtimeOf = (cells: readonly Cell[]): readonly string[] => {
  const [runtimeSec, ...others] = new Set(cells.map((cell) => cell.runtimeSec));
  return others.length > 0 || runtimeSec === undefined || runtimeSec === null ? [] : ["--runtime", String(runtimeSec)];
};

/** `schbench-ts validate` with the subjects, axes and rounds of a plan. */
export const repeatCommand = ({ subjects, cells, rounds, seed }: ExperimentHeader): string =>
  joinWords([
    "schbench-ts",
    "validate",
    ...subjects.flatMap((subject) =>
      subject.launch.kind === "external"
        ? ["--reference", `${subject.name}=${joinWords(subject.launch.command)}`]
        : ["--ours", subject.name],
    ),
    ...subjects.flatMap(around),
    "--axes",
    cells.map(({ name }) => name).join(","),
    "--rounds",
    String(rounds),
    ...runtimeOf(cells),
    ...(seed === 1 ? [] : ["--seed", String(seed)]),
    "-o",
    "validation.ndjson",
  ]);
