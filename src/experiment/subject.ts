/**
 * What an experiment compares, and under which workloads: subjects and cells.
 *
 * A subject is anything that yields a run result: our engine (started as a process of its own by this same command), or
 * an external schbench whose text is parsed; either may stand between shell commands that bring the machine into the
 * state under test and back. No upstream counterpart.
 */
import { z } from "zod";
import { whereabouts } from "./whereabouts.js";

const shellCommand = z.string().nullable();

/** Who runs the benchmark: this package's engine (under the given Node, null: the running one), or another program. */
const launch = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("engine"),
    node: z.string().nullable(),
    launcher: z
      .array(z.string())
      .min(1)
      .optional()
      .describe("command that our command line is passed to, such as chrt -r 10"),
  }),
  z.object({ kind: z.literal("external"), command: z.array(z.string()).min(1) }),
]);

/** One implementation, or one state of the machine, under comparison. */
export const subject = z.object({
  name: z.string().min(1),
  launch,
  flags: z
    .array(z.string())
    .describe("benchmark flags of this subject alone; they follow those of the cell and override them"),
  env: z.record(z.string(), z.string()),
  setup: shellCommand.describe("run before each run of this subject"),
  prepare: shellCommand.describe("run after the set-up, directly before the benchmark"),
  teardown: shellCommand.describe("run after each run of this subject, even after a failure"),
  place: whereabouts.optional().describe("where its runs happen; left out: here"),
});

/** One workload: the benchmark's flags, and how long and how often it runs. */
export const cell = z.object({
  name: z.string().min(1),
  prefix: z.array(z.string()).optional().describe("program and arguments that start the benchmark, for every subject"),
  flags: z.array(z.string()),
  engineFlags: z.array(z.string()).describe("flags that only our engine knows, such as --pacing"),
  runtimeSec: z.number().nonnegative().nullable().describe("expected run time with warm-up; null: not known"),
  rounds: z.number().int().positive().nullable().describe("null: as many as the experiment has"),
});

export type Launch = z.infer<typeof launch>;
export type Subject = z.infer<typeof subject>;
export type Cell = z.infer<typeof cell>;

/** How this package's command is started under a given Node (null: the running one), without the flags. */
export type EngineCommand = (node: string | null) => readonly string[];

/** A subject with nothing around it. */
export const plainSubject = (name: string, how: Launch): Subject => ({
  name,
  launch: how,
  flags: [],
  env: {},
  setup: null,
  prepare: null,
  teardown: null,
});

/** Is a program of its own our command after all, perhaps another version, perhaps behind a launcher? It gives JSON. */
export const isOurCommand = ({ launch: how }: Subject): boolean =>
  how.kind === "engine" || /(?:^|\/)schbench-ts$/.test(how.command.at(-1) ?? "");

/** The command line of one run, program first. Our engine is asked for JSON on stdout. */
export const invocationOf = (who: Subject, what: Cell, engineCommand: EngineCommand): readonly string[] => {
  const { launch: how } = who;
  const own =
    how.kind === "engine"
      ? [...(how.launcher ?? []), ...engineCommand(how.node), ...what.flags, ...what.engineFlags, ...who.flags]
      : [...how.command, ...what.flags, ...who.flags];
  return [...(what.prefix ?? []), ...own, ...(isOurCommand(who) ? ["-j", "-"] : [])];
};
