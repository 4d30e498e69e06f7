/**
 * Which place the runs of a subject happen at, as an experiment's header keeps it: so an experiment that is continued
 * elsewhere is another one. Left out: here. Pure.
 */
import { z } from "zod";

/** Shape of a virtual machine, as `--vm` gives it. */
const vmShape = z.object({
  cpus: z.number().int().positive(),
  memoryMib: z.number().int().positive(),
  sockets: z.number().int().positive().nullable().describe("null: as QEMU divides the CPUs"),
  cores: z.number().int().positive().nullable().describe("of a socket"),
  threads: z.number().int().positive().nullable().describe("of a core"),
  nodes: z.number().int().positive().describe("NUMA nodes, CPUs and memory divided evenly"),
  pin: z.array(z.number().int().nonnegative()).nullable().describe("host CPU of each vCPU; null: not pinned"),
  append: z.string().describe("added to the kernel's command line"),
  files: z
    .array(z.object({ host: z.string(), guest: z.string() }))
    .describe("files of the host that are put into the guest"),
  emulate: z.boolean().describe("without KVM: times mean nothing"),
  bootLimitSec: z.number().positive().describe("a guest that is not up after so long is taken to hang"),
});

/** Ways to a kernel for one boot. */
export const BOOT_WAYS = ["kexec", "systemd-boot", "grub"] as const;

/** Every kind of place but this machine as it runs. */
export const whereabouts = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("vm"),
    kernel: z.string().describe("path of the kernel image on the host"),
    vm: vmShape,
  }),
  z.object({
    kind: z.literal("reboot"),
    kernel: z.string().describe("path of the kernel image"),
    initrd: z.string().nullable().describe("its first root; null: the one beside it, if there is one"),
    append: z.string().describe("added to the kernel's command line"),
    by: z.enum(BOOT_WAYS).nullable().describe("how it is booted; null: by the first that works"),
    quietLimitSec: z.number().nonnegative().describe("how long a quiet machine is waited for after a boot"),
  }),
]);

export type BootWay = (typeof BOOT_WAYS)[number];
export type VmShape = z.infer<typeof vmShape>;
export type Whereabouts = z.infer<typeof whereabouts>;
