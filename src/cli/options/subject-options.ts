/** Subjects on a command line: what stands around the runs of each, and the subjects that come of it. */
import { UsageError } from "../../errors.js";
import { type Launch, plainSubject, type Subject } from "../../experiment/subject.js";
import { splitWords } from "../../options/values/shell-words.js";
import { nearestName } from "../../options/values/suggest.js";
import type { OptionTable, OptionValues } from "../../options/line/option-table.js";

/** What stands around the runs of one subject. Each value is NAME=…, and `all` means every subject. */
export const surroundingOptions = [
  {
    id: "flags",
    kind: "text",
    long: ["flags"],
    group: "Subjects",
    meaning: "benchmark flags for one subject; they override those after --",
    valueName: "NAME=FLAGS",
    repeated: true,
  },
  {
    id: "env",
    kind: "text",
    long: ["env"],
    group: "Subjects",
    meaning: "set an environment variable for one subject",
    valueName: "NAME=KEY=VALUE",
    repeated: true,
  },
  {
    id: "node",
    kind: "text",
    long: ["node"],
    group: "Subjects",
    meaning: "run our engine under another Node for one subject",
    valueName: "NAME=PATH",
    repeated: true,
  },
  {
    id: "launcher",
    kind: "text",
    long: ["launcher"],
    group: "Subjects",
    meaning: "start our engine through this command for one subject, such as rt='chrt -r 10'",
    valueName: "NAME=COMMAND",
    repeated: true,
  },
  {
    id: "setup",
    kind: "text",
    long: ["setup"],
    group: "Subjects",
    meaning:
      "run a shell command before each run of a subject; what it leaves in the background is ended after the run, except what setsid started",
    valueName: "NAME=COMMAND",
    repeated: true,
  },
  {
    id: "prepare",
    kind: "text",
    long: ["prepare"],
    group: "Subjects",
    meaning: "run a shell command after the set-up, directly before the benchmark",
    valueName: "NAME=COMMAND",
    repeated: true,
  },
  {
    id: "teardown",
    kind: "text",
    long: ["teardown"],
    group: "Subjects",
    meaning: "run a shell command after each run of a subject, even after a failure",
    valueName: "NAME=COMMAND",
    repeated: true,
  },
] as const satisfies OptionTable;

type Surroundings = OptionValues<typeof surroundingOptions>;

/** The word that means every subject. */
const ALL = "all";
const NAME = /^[^\s=]+$/;

/** NAME=COMMAND, or a NAME alone for our engine. */
export const readSubject = (argument: string, option: string): Subject => {
  const at = argument.indexOf("=");
  const name = at < 0 ? argument : argument.slice(0, at);
  const command = at < 0 ? null : splitWords(argument.slice(at + 1));
  if (!NAME.test(name) || name === ALL || command?.length === 0)
    throw new UsageError(
      `invalid value "${argument}" for ${option}: allowed is NAME=COMMAND, or NAME alone for our engine (not "${ALL}", no blanks in the name)`,
    );
  const launch: Launch =
    command === null ? { kind: "engine", node: null } : { kind: "external", command: [...command] };
  return plainSubject(name, launch);
};

/** The values of NAME=VALUE arguments by subject. */
export const valuesByName = (
  subjects: readonly Subject[],
  option: string,
  values: readonly string[],
): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  const names = subjects.map((subject) => subject.name);
  for (const value of values) {
    const at = value.indexOf("=");
    const name = value.slice(0, Math.max(0, at));
    if (name !== ALL && !names.includes(name)) {
      const near = nearestName(name, names);
      throw new UsageError(
        `invalid value "${value}" for ${option}: it must start with a subject's name and "=": ${[...names, ALL].join(", ")}`,
        near === undefined ? undefined : `Did you mean ${near}=${value.slice(at + 1)}?`,
      );
    }
    // An empty command is more often a variable without a value than meant: what it was to set up would be missing.
    if (option !== "--flags" && value.slice(at + 1).trim() === "")
      throw new UsageError(`invalid value "${value}" for ${option}: nothing follows "${name}="`);
    for (const target of name === ALL ? names : [name])
      found.set(target, [...(found.get(target) ?? []), value.slice(at + 1)]);
  }
  return found;
};

/** Several commands for one step run one after the other, until one fails. */
const joined = (commands: readonly string[] | undefined): string | null =>
  commands === undefined ? null : commands.length === 1 ? (commands[0] ?? null) : ["set -e", ...commands].join("\n");

const environment = (settings: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf("=");
      if (at < 1) throw new UsageError(`invalid value "${setting}" in --env: allowed is NAME=KEY=VALUE`);
      return [setting.slice(0, at), setting.slice(at + 1)];
    }),
  );

/** What is only for our engine must not name a program of its own; `all` means every engine. */
const refuseForPrograms = (name: string, given: Readonly<Record<string, readonly string[]>>): void => {
  for (const [option, values] of Object.entries(given))
    if (values.some((value) => value.startsWith(`${name}=`)))
      throw new UsageError(`invalid value for ${option}: subject "${name}" is another program, not our engine`);
};

/** The subjects with what the options put around them. */
export const surround = (subjects: readonly Subject[], options: Surroundings): readonly Subject[] => {
  const seen = new Set<string>();
  for (const { name } of subjects) {
    if (seen.has(name)) throw new UsageError(`two subjects are called "${name}": names must differ`);
    seen.add(name);
  }
  const flags = valuesByName(subjects, "--flags", options.flags);
  const env = valuesByName(subjects, "--env", options.env);
  const node = valuesByName(subjects, "--node", options.node);
  const launcher = valuesByName(subjects, "--launcher", options.launcher);
  const setup = valuesByName(subjects, "--setup", options.setup);
  const prepare = valuesByName(subjects, "--prepare", options.prepare);
  const teardown = valuesByName(subjects, "--teardown", options.teardown);
  return subjects.map((subject) => {
    const { name, launch } = subject;
    const path = node.get(name)?.at(-1);
    const before = launcher.get(name)?.flatMap((text) => [...splitWords(text)]);
    if (launch.kind !== "engine") refuseForPrograms(name, { "--node": options.node, "--launcher": options.launcher });
    return {
      ...subject,
      launch:
        launch.kind === "engine"
          ? { ...launch, node: path ?? null, ...(before === undefined ? {} : { launcher: before }) }
          : launch,
      flags: (flags.get(name) ?? []).flatMap((text) => [...splitWords(text)]),
      env: environment(env.get(name) ?? []),
      setup: joined(setup.get(name)),
      prepare: joined(prepare.get(name)),
      teardown: joined(teardown.get(name)),
    };
  });
};
