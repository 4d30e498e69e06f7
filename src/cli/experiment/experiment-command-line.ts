/** The command line that an experiment's header stands for, as a post shows it. Pure. */
import { judgementWords } from "../../experiment/judgement.js";
import type { ExperimentHeader } from "../../experiment/record.js";
import type { Subject } from "../../experiment/subject.js";
import { formatCpuList } from "../../options/values/cpu-list.js";
import { joinWords } from "../../options/values/shell-words.js";
import { settingsIn } from "./cell-settings.js";

const placeWords = ({ name, place }: Subject): readonly string[] => {
  if (place === undefined) return [];
  const append = place.kind === "vm" ? place.vm.append : place.append;
  return [
    "--kernel",
    `${name}=${place.kernel}`,
    ...(place.kind === "vm" || place.initrd === null ? [] : ["--initrd", `${name}=${place.initrd}`]),
    ...(append === "" ? [] : ["--append", `${name}=${append}`]),
  ];
};

/** How this machine is booted, which all subjects share. */
const rebootWords = (subjects: readonly Subject[]): readonly string[] => {
  const [where] = subjects.flatMap(({ place }) => (place?.kind === "reboot" ? [place] : []));
  if (where === undefined) return [];
  return [
    "--reboot",
    ...(where.by === null ? [] : ["--boot-by", where.by]),
    "--quiet-limit",
    String(where.quietLimitSec),
  ];
};

/** The shape of the virtual machines, which all subjects share. */
const vmWords = (subjects: readonly Subject[]): readonly string[] => {
  const [vm] = subjects.flatMap(({ place }) => (place?.kind === "vm" ? [place.vm] : []));
  if (vm === undefined) return [];
  const { cpus, memoryMib, sockets, cores, threads, nodes, pin, bootLimitSec } = vm;
  const shape = [
    ["cpus", cpus],
    ["memory", `${memoryMib}M`],
    ["sockets", sockets],
    ["cores", cores],
    ["threads", threads],
    ["nodes", nodes === 1 ? null : nodes],
    ["pin", pin === null ? null : formatCpuList(pin)],
    ["limit", bootLimitSec],
  ] as const;
  const settings = shape.flatMap(([key, value]) => (value === null ? [] : [`${key}=${value}`]));
  return [
    "--vm",
    settings.join(","),
    ...vm.files.flatMap(({ host, guest }) => ["--vm-file", host === guest ? host : `${host}:${guest}`]),
    ...(vm.emulate ? ["--emulate"] : []),
  ];
};

const subjectWords = (subject: Subject): readonly string[] => {
  const { name, launch, flags, setup, prepare, teardown } = subject;
  const program =
    launch.kind === "external"
      ? `${name}=${joinWords(launch.command)}`
      : launch.node === null
        ? name
        : `${name}@${launch.node}`;
  const around = [
    ["--launcher", launch.kind === "engine" && launch.launcher !== undefined ? joinWords(launch.launcher) : null],
    ["--flags", flags.length === 0 ? null : joinWords(flags)],
    ["--setup", setup],
    ["--prepare", prepare],
    ["--teardown", teardown],
  ] as const;
  return [
    "--subject",
    program,
    ...around.flatMap(([option, value]) => (value === null ? [] : [option, `${name}=${value}`])),
    ...placeWords(subject),
  ];
};

const variedWords = (cells: ExperimentHeader["cells"]): readonly string[] => {
  if (cells.length < 2) return [];
  const values = new Map<string, Set<string>>();
  for (const { name } of cells)
    for (const [option, value] of settingsIn(name)) values.set(option, (values.get(option) ?? new Set()).add(value));
  return [...values].flatMap(([option, all]) => ["--vary", `${option}=${[...all].join(",")}`]);
};

/** The flags that all cells begin with. */
const commonFlags = (cells: ExperimentHeader["cells"]): readonly string[] => {
  const [first, ...others] = cells;
  const flags = first?.flags ?? [];
  const differs = flags.findIndex((flag, index) => others.some((cell) => cell.flags[index] !== flag));
  if (differs < 0) return flags;
  // Where a value differs, the option before it belongs to what is varied.
  return flags.slice(0, flags[differs]?.startsWith("-") === true ? differs : Math.max(0, differs - 1));
};

/** Such as `schbench-ts ab --subject a --subject b --flags 'b=-n 6' --runs 6 -- -m 1 -t 2`. */
export const experimentCommandLine = ({
  kind,
  subjects,
  cells,
  rounds,
  runsPerBoot,
  judgement,
}: ExperimentHeader): string =>
  `schbench-ts ${joinWords([
    kind,
    ...subjects.flatMap(subjectWords),
    ...variedWords(cells),
    ...rebootWords(subjects),
    ...vmWords(subjects),
    ...(runsPerBoot === undefined ? [] : ["--boots", String(Math.ceil(rounds / runsPerBoot))]),
    "--runs",
    String(runsPerBoot ?? rounds),
    ...judgementWords(judgement ?? {}),
    "--",
    ...commonFlags(cells),
  ])}`;

/** More command lines than this are counted. */
const MOST_COMMANDS = 3;

/** What made some experiments; null: there is none. */
export const commandsIn = (read: readonly { readonly header: ExperimentHeader }[]): string | null => {
  const commands = [...new Set(read.map(({ header }) => experimentCommandLine(header)))];
  if (commands.length === 0) return null;
  return commands.length > MOST_COMMANDS ? `${commands.length} different ones` : commands.join("; ");
};
