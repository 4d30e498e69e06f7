/** The options about this machine's own boots, and the places that come of them. */
import { UsageError } from "../../errors.js";
import type { Subject } from "../../experiment/subject.js";
import { BOOT_WAYS } from "../../experiment/whereabouts.js";
import type { OptionTable, OptionValues } from "../../options/line/option-table.js";
import { valuesByName } from "./subject-options.js";

/** How this machine boots its way through an experiment. */
export const rebootOptions = [
  {
    id: "reboot",
    kind: "flag",
    long: ["reboot"],
    group: "Kernels",
    meaning: "boot this machine itself with the --kernel of each subject, as root; goes on by itself after each boot",
  },
  {
    id: "initrds",
    kind: "text",
    long: ["initrd"],
    group: "Kernels",
    meaning: "with --reboot by kexec: the initramfs for one subject",
    valueName: "NAME=FILE",
    defaultText: "the one beside the kernel",
    repeated: true,
  },
  {
    id: "bootBy",
    kind: "choice",
    long: ["boot-by"],
    group: "Kernels",
    meaning: "with --reboot: how a kernel is started for one boot",
    choices: BOOT_WAYS,
    defaultText: "the first of them that works here",
  },
  {
    id: "quietLimit",
    kind: "seconds",
    long: ["quiet-limit"],
    group: "Kernels",
    meaning: "with --reboot: wait so long after a boot for other processes to settle, then measure all the same",
    min: 0,
    max: 86_400,
    default: 300,
  },
  {
    id: "plan",
    kind: "flag",
    long: ["plan"],
    group: "Kernels",
    meaning: "do nothing, but show what would be booted, run and written",
  },
] as const satisfies OptionTable;

/** Their values, with the options of other places that do not go with them. */
type Reboots = OptionValues<typeof rebootOptions> & {
  readonly kernels: readonly string[];
  readonly appended: readonly string[];
  readonly vm: string | null;
  readonly vmFiles: readonly string[];
  readonly emulate: boolean;
};

const EXAMPLE =
  "For example: schbench-ts ab --reboot --subject a --kernel a=/boot/vmlinuz-6.1 --subject b --kernel b=/boot/vmlinuz-6.12 -o runs.ndjson -- -m 2 -t 4 -r 10";

/** Refuses what is only about boots of this machine where there are none. */
export const refuseRebootOptions = ({ initrds, bootBy }: Reboots): void => {
  const given = (
    [
      ["--initrd", initrds.length > 0],
      ["--boot-by", bootBy !== null],
    ] as const
  ).find(([, is]) => is)?.[0];
  if (given !== undefined)
    throw new UsageError(`${given} is about boots of this machine: --reboot is missing`, EXAMPLE);
};

/** The subjects, each at this machine after a boot with its kernel; throws UsageError. */
export const placeByReboot = (subjects: readonly Subject[], options: Reboots): readonly Subject[] => {
  const virtual = (
    [
      ["--vm", options.vm !== null],
      ["--vm-file", options.vmFiles.length > 0],
      ["--emulate", options.emulate],
    ] as const
  ).find(([, is]) => is)?.[0];
  if (virtual !== undefined)
    throw new UsageError(`cannot combine ${virtual} with --reboot: one boots virtual machines, the other this machine`);
  const kernels = valuesByName(subjects, "--kernel", options.kernels);
  const initrds = valuesByName(subjects, "--initrd", options.initrds);
  const appended = valuesByName(subjects, "--append", options.appended);
  return subjects.map((subject) => {
    const kernel = kernels.get(subject.name)?.at(-1);
    if (kernel === undefined)
      throw new UsageError(`subject "${subject.name}" has no --kernel, and --reboot boots one for each`, EXAMPLE);
    return {
      ...subject,
      place: {
        kind: "reboot",
        kernel,
        initrd: initrds.get(subject.name)?.at(-1) ?? null,
        append: (appended.get(subject.name) ?? []).join(" "),
        by: options.bootBy,
        quietLimitSec: options.quietLimit,
      },
    };
  });
};

/** Refuses what a process that ends with every boot cannot do; throws UsageError. */
export const checkReboot = ({
  reboot,
  store,
  on = [],
}: {
  readonly reboot: boolean;
  readonly store: string | null;
  readonly on?: readonly string[];
}): void => {
  if (!reboot) return;
  if (on.length > 0)
    throw new UsageError(
      "cannot combine --on with --reboot: it is this machine that boots",
      "Start it on that machine.",
    );
  if (store === null || store === "-")
    throw new UsageError(
      "--reboot needs a file that keeps the runs over the boots: -o is missing",
      "Name one on a disk, such as -o /var/lib/runs.ndjson.",
    );
};
