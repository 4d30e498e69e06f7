/**
 * The three ways to a kernel for one boot alone: kexec starts it at once, a boot loader is told to take it the next time. A
 * kernel that does not come up is left by turning the machine off and on, or by panic=, and the usual one starts.
 */
import { BOOT_WAYS, type BootWay } from "../../experiment/whereabouts.js";
import { readValue } from "../../platform/files.js";
import { type BootEntry, entryFor, grubEntries, loaderEntry } from "./boot-entries.js";
import type { KernelFile } from "./kernels.js";
import { mountOf } from "./mounts.js";
import { running, type Step } from "./steps.js";
import type { RebootSystem } from "./system.js";

/** A kernel to boot, and with what. */
export interface BootRequest {
  readonly kernel: KernelFile;
  /** The command line that this machine was booted with before the experiment. */
  readonly usual: string;
  /** Added for this subject. */
  readonly append: string;
}

/** How a kernel would be booted. */
export type Found =
  | {
      readonly way: BootWay;
      readonly steps: readonly Step[];
      /** The whole command line that the kernel gets; null: the boot loader has it. */
      readonly commandLine: string | null;
    }
  /** Why it cannot be, as a clause. */
  | { readonly fault: string };

type Way = (request: BootRequest, system: RebootSystem) => Promise<Found>;

const REBOOT = running("systemctl", "reboot");
/** Seconds after which a kernel that panics starts the machine anew. */
const PANIC = "panic=60";

/** Words that a boot loader adds for itself. */
const isLoaders = (word: string): boolean => /^(?:BOOT_IMAGE|initrd)=/u.test(word);

/** The command line for a kernel: the usual one, what is added, and an end to a panic. */
export const commandLineFor = (usual: string, append: string): string => {
  const words = [...usual.split(/\s+/u).filter((word) => word !== "" && !isLoaders(word)), append].filter(
    (word) => word !== "",
  );
  const all = words.join(" ");
  return /(?:^| )panic=/u.test(all) ? all : `${all} ${PANIC}`.trim();
};

const kexec: Way = async ({ kernel, usual, append }, system) => {
  if (system.findProgram("kexec") === null) return { fault: "there is no program kexec (package kexec-tools)" };
  if (!system.files.exists("/sys/kernel/kexec_loaded")) return { fault: "this kernel is built without CONFIG_KEXEC" };
  if (readValue(system.files, "/proc/sys/kernel/kexec_load_disabled") === "1")
    return { fault: "kernel.kexec_load_disabled is 1" };
  const commandLine = commandLineFor(usual, append);
  const initrd = kernel.initrd === null ? [] : [`--initrd=${kernel.initrd}`];
  return {
    way: "kexec",
    commandLine,
    steps: [
      running("kexec", "--kexec-syscall-auto", "--load", kernel.path, ...initrd, `--command-line=${commandLine}`),
      running("systemctl", "kexec"),
    ],
  };
};

const loaderEntriesIn = (folder: string, { files }: RebootSystem, withEnding: boolean): readonly BootEntry[] =>
  files
    .list(folder)
    .filter((name) => name.endsWith(".conf"))
    .flatMap((name) => {
      const id = withEnding ? name : name.slice(0, -".conf".length);
      return loaderEntry(id, files.readText(`${folder}/${name}`) ?? "") ?? [];
    });

const noAppend = (append: string, who: string): string | null =>
  append === "" ? null : `--append needs kexec: ${who} has the command line`;

const LOADER_FOLDERS = ["/boot", "/efi", "/boot/efi"].map((folder) => `${folder}/loader/entries`);

const systemdBoot: Way = async ({ kernel, append }, system) => {
  if (system.findProgram("bootctl") === null) return { fault: "there is no program bootctl" };
  const { stdout } = await system.run(["bootctl", "is-installed"]);
  if (stdout.toString("utf8").trim() !== "yes")
    return { fault: "systemd-boot is not installed (bootctl is-installed)" };
  const fault = noAppend(append, "the entry");
  if (fault !== null) return { fault };
  const entries = LOADER_FOLDERS.flatMap((folder) => loaderEntriesIn(folder, system, true));
  const entry = entryFor(entries, kernel.path, kernel.release);
  if (entry === undefined) return { fault: `no entry starts "${kernel.path}" (bootctl list)` };
  return { way: "systemd-boot", commandLine: null, steps: [running("bootctl", "set-oneshot", entry.id), REBOOT] };
};

/** What distributions call GRUB's program and its folder. */
const GRUBS = [
  { program: "grub-reboot", folder: "/boot/grub" },
  { program: "grub2-reboot", folder: "/boot/grub2" },
] as const;

/** Why GRUB could not forget the choice of one boot on this disk: then a kernel that does not come up is started for ever. */
const cannotForget = (folder: string, { files }: RebootSystem): string | null => {
  const mount = mountOf(files.readText("/proc/self/mountinfo") ?? "", folder);
  if (mount === null) return null;
  if (/^(?:btrfs|zfs|f2fs)$/u.test(mount.type)) return `GRUB cannot write to ${mount.type}, where ${folder} is`;
  if (/^\/dev\/(?:mapper\/|md|dm-)/u.test(mount.source))
    return `GRUB cannot write to ${mount.source} (LVM, RAID or encrypted), where ${folder} is`;
  return null;
};

const grub: Way = async ({ kernel, append }, system) => {
  const here = GRUBS.find(({ program }) => system.findProgram(program) !== null);
  if (here === undefined) return { fault: "there is no program grub-reboot" };
  const menu = system.files.readText(`${here.folder}/grub.cfg`);
  if (menu === null) return { fault: `there is no ${here.folder}/grub.cfg` };
  if (!menu.includes("next_entry")) return { fault: `${here.folder}/grub.cfg does not look at next_entry` };
  const fault = noAppend(append, "GRUB") ?? cannotForget(here.folder, system);
  if (fault !== null) return { fault };
  const entries = [
    ...grubEntries(menu),
    ...(/^\s*blscfg\b/mu.test(menu) ? loaderEntriesIn("/boot/loader/entries", system, false) : []),
  ];
  const entry = entryFor(entries, kernel.path, kernel.release);
  if (entry === undefined) return { fault: `GRUB's menu has no entry for "${kernel.path}": it is not installed` };
  return { way: "grub", commandLine: null, steps: [running(here.program, entry.id), REBOOT] };
};

const WAYS = { kexec, "systemd-boot": systemdBoot, grub } as const satisfies Record<BootWay, Way>;

/**
 * How a kernel is booted here: by the way that is asked for, else by the first that works.
 *
 * @returns the way, or the faults of all that were tried
 */
export const findWay = async (
  request: BootRequest,
  wanted: BootWay | null,
  system: RebootSystem,
): Promise<Exclude<Found, { fault: string }> | { readonly faults: readonly string[] }> => {
  const faults: string[] = [];
  for (const name of wanted === null ? BOOT_WAYS : [wanted]) {
    const found = await WAYS[name](request, system);
    if (!("fault" in found)) return found;
    faults.push(`${name}: ${found.fault}`);
  }
  return { faults };
};
