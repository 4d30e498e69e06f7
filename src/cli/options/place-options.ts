/** Places on a command line: kernels that subjects are booted with in virtual machines, and how often. */
import { availableParallelism } from "node:os";
import { UsageError } from "../../errors.js";
import type { Subject } from "../../experiment/subject.js";
import type { VmShape } from "../../experiment/whereabouts.js";
import { parseCpuList } from "../../options/values/cpu-list.js";
import type { OptionTable, OptionValues } from "../../options/line/option-table.js";
import { placeByReboot, rebootOptions, refuseRebootOptions } from "./reboot-options.js";
import { valuesByName } from "./subject-options.js";

/** Where subjects run when that is not here. */
export const placeOptions = [
  {
    id: "kernels",
    kind: "text",
    long: ["kernel"],
    group: "Kernels",
    meaning:
      "run one subject with this kernel, booted in a virtual machine (an image, a tree that one was built in, or an installed release), or on this machine with --reboot (an image)",
    valueName: "NAME=KERNEL",
    repeated: true,
  },
  {
    id: "vm",
    kind: "text",
    long: ["vm"],
    group: "Kernels",
    meaning:
      "shape of the virtual machines: cpus=4,memory=4G,pin=2-5 and sockets=, cores=, threads=, nodes=, limit=, append=",
    valueName: "KEY=VALUE,…",
    defaultText: "as many CPUs as here, memory=2G, limit=60 (seconds to be up; 300 with --emulate)",
  },
  {
    id: "appended",
    kind: "text",
    long: ["append"],
    group: "Kernels",
    meaning: "add words to the kernel command line of one subject",
    valueName: "NAME=WORDS",
    repeated: true,
  },
  {
    id: "vmFiles",
    kind: "text",
    long: ["vm-file"],
    group: "Kernels",
    meaning: "put a file into the virtual machines, at the same path or another; a program brings its libraries",
    valueName: "FILE[:PATH]",
    repeated: true,
  },
  {
    id: "emulate",
    kind: "flag",
    long: ["emulate"],
    group: "Kernels",
    meaning: "boot without KVM: shows whether a kernel works, but its times mean nothing",
  },
  {
    id: "boots",
    kind: "count",
    long: ["boots"],
    group: "Kernels",
    meaning: "boot each subject so often and make --runs runs (default 3) in each boot",
    min: 1,
    max: 1000,
    defaultText: "a boot for every run",
  },
  ...rebootOptions,
] as const satisfies OptionTable;

type Places = OptionValues<typeof placeOptions>;

const KEYS = ["cpus", "memory", "sockets", "cores", "threads", "nodes", "pin", "limit", "append"] as const;
type Key = (typeof KEYS)[number];
const MEMORY = /^(\d+)([MG])$/;
/** Seconds in which a guest is up on any machine, and how much longer an emulator may take. */
const LIMIT_SEC = 60;
const EMULATED_LIMIT_SEC = 300;
/** Runs in one boot where only the number of boots is given. */
const RUNS_PER_BOOT = 3;

const isKey = (word: string): word is Key => KEYS.some((key) => key === word);

/** The settings in a text. A comma before anything but a key belongs to the value: pin=2,4 and append=isolcpus=1,2. */
const settingsOf = (text: string): ReadonlyMap<Key, string> => {
  const settings = new Map<Key, string>();
  for (const part of text.split(new RegExp(`,(?=(?:${KEYS.join("|")})=)`, "u"))) {
    const at = part.indexOf("=");
    const key = part.slice(0, Math.max(0, at));
    if (!isKey(key) || part.slice(at + 1) === "")
      throw new UsageError(`invalid value "${part}" in --vm: allowed is KEY=VALUE with one of ${KEYS.join(", ")}`);
    settings.set(key, part.slice(at + 1));
  }
  return settings;
};

const countOf = (settings: ReadonlyMap<Key, string>, key: Key): number | null => {
  const text = settings.get(key);
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new UsageError(`invalid value "${key}=${text}" in --vm: allowed is a whole number, 1 to 99999`);
  return Number(text);
};

const memoryOf = (text: string): number => {
  const [, amount, unit] = MEMORY.exec(text) ?? [];
  if (amount === undefined)
    throw new UsageError(`invalid value "memory=${text}" in --vm: allowed is a number with M or G, such as 4G`);
  return Number(amount) * (unit === "G" ? 1024 : 1);
};

const fileOf = (text: string): VmShape["files"][number] => {
  const at = text.lastIndexOf(":");
  const host = at < 0 ? text : text.slice(0, at);
  const guest = at < 0 ? text : text.slice(at + 1);
  if (host === "" || !guest.startsWith("/"))
    throw new UsageError(
      `invalid value "${text}" for --vm-file: allowed is FILE or FILE:GUEST-FILE, absolute in the guest`,
    );
  return { host, guest };
};

/** The virtual machine that the options describe, without the words of one subject. */
export const readVm = ({ vm, vmFiles, emulate }: Places, cpusHere: number): VmShape => {
  const settings = vm === null ? new Map<Key, string>() : settingsOf(vm);
  const pin = settings.get("pin");
  const pinned = pin === undefined ? null : [...parseCpuList(pin)];
  return {
    cpus: countOf(settings, "cpus") ?? pinned?.length ?? cpusHere,
    memoryMib: memoryOf(settings.get("memory") ?? "2G"),
    sockets: countOf(settings, "sockets"),
    cores: countOf(settings, "cores"),
    threads: countOf(settings, "threads"),
    nodes: countOf(settings, "nodes") ?? 1,
    pin: pinned,
    append: settings.get("append") ?? "",
    files: vmFiles.map(fileOf),
    emulate,
    bootLimitSec: countOf(settings, "limit") ?? (emulate ? EMULATED_LIMIT_SEC : LIMIT_SEC),
  };
};

/** The subjects with the places that the options give them; throws UsageError. */
export const place = (subjects: readonly Subject[], options: Places): readonly Subject[] => {
  if (options.reboot) return placeByReboot(subjects, options);
  refuseRebootOptions(options);
  const kernels = valuesByName(subjects, "--kernel", options.kernels);
  const appended = valuesByName(subjects, "--append", options.appended);
  if (kernels.size === 0) {
    const useless = [
      ["--vm", options.vm !== null],
      ["--append", appended.size > 0],
      ["--vm-file", options.vmFiles.length > 0],
      ["--emulate", options.emulate],
      ["--boots", options.boots !== null],
    ] as const;
    const given = useless.find(([, isGiven]) => isGiven)?.[0];
    if (given !== undefined)
      throw new UsageError(
        `${given} is about virtual machines: no subject has a --kernel`,
        "Give one: --kernel NAME=KERNEL.",
      );
    if (options.plan)
      throw new UsageError("--plan shows boots, and no subject has a --kernel", "Give one: --kernel NAME=KERNEL.");
    return subjects;
  }
  const vm = readVm(options, availableParallelism());
  return subjects.map((subject) => {
    const kernel = kernels.get(subject.name)?.at(-1);
    const words = [vm.append, ...(appended.get(subject.name) ?? [])].filter((text) => text !== "").join(" ");
    if (kernel === undefined) {
      if (appended.has(subject.name))
        throw new UsageError(`--append names subject "${subject.name}", which has no --kernel`);
      return subject;
    }
    return { ...subject, place: { kind: "vm", kernel, vm: { ...vm, append: words } } };
  });
};

/** Said before an experiment whose times are no times. */
export const EMULATION_NOTE =
  "schbench-ts: --emulate: the guests run under emulation; their times mean nothing, only that they run\n";

/**
 * Rounds and boots of an experiment, as its header has them: without boots for subjects that run here, and else a boot for
 * every run unless the options say otherwise, since runs of one boot are no replicates of its kernel.
 *
 * @param runsGiven whether the number of runs was given, or is the default
 */
export const bootRepetitions = (
  subjects: readonly Subject[],
  { runs, boots }: { readonly runs: number; readonly boots: number | null },
  runsGiven: boolean,
): { readonly rounds: number; readonly runsPerBoot?: number } => {
  if (subjects.every((subject) => subject.place === undefined)) return { rounds: runs };
  if (boots === null) return { rounds: runs, runsPerBoot: 1 };
  const runsPerBoot = runsGiven ? runs : RUNS_PER_BOOT;
  return { rounds: boots * runsPerBoot, runsPerBoot };
};
