/** The command line of QEMU for a guest. Pure. */
import { at } from "../../at.js";
import type { VmShape } from "../../experiment/whereabouts.js";
import { GUEST_PROGRAM, GUEST_SCRIPT, UNPACKED_SETTING } from "./own-files.js";

/** The program for guests of this architecture, and the packages that hold it. */
export const QEMU = {
  program: "qemu-system-x86_64",
  debian: "qemu-system-x86",
  fedora: "qemu-system-x86-core",
} as const;

/** The guest's serial ports: the kernel's console, and the way to the experiment. */
export const GUEST_PORT = "/dev/ttyS1";

/** Where QEMU finds what is made for it. */
export interface VmFiles {
  readonly kernel: string;
  readonly initramfs: string;
  /** Unix sockets on which this process waits for QEMU. */
  readonly consoleSocket: string;
  readonly siteSocket: string;
  readonly monitorSocket: string;
}

/** QEMU's own `,` within a value is doubled. */
const value = (text: string): string => text.replaceAll(",", ",,");

const topology = ({ cpus, sockets, cores, threads }: VmShape): string =>
  [
    String(cpus),
    ...[["sockets", sockets] as const, ["cores", cores] as const, ["threads", threads] as const].flatMap(
      ([name, count]) => (count === null ? [] : [`${name}=${count}`]),
    ),
  ].join(",");

/** The CPUs of each NUMA node: neighbours together, so that no socket is divided where it need not be. */
const nodeCpus = (cpus: number, nodes: number): readonly (readonly [first: number, last: number])[] =>
  Array.from({ length: nodes }, (_, node) => [
    Math.floor((node * cpus) / nodes),
    Math.floor(((node + 1) * cpus) / nodes) - 1,
  ]);

const numa = ({ cpus, memoryMib, nodes }: VmShape): readonly string[] => {
  if (nodes === 1) return [];
  return nodeCpus(cpus, nodes).flatMap(([first, last], node) => {
    const size = Math.floor(memoryMib / nodes) + (node === 0 ? memoryMib % nodes : 0);
    return [
      "-object",
      `memory-backend-ram,id=memory${node},size=${size}M`,
      "-numa",
      `node,nodeid=${node},cpus=${first === last ? first : `${first}-${last}`},memdev=memory${node}`,
    ];
  });
};

/**
 * AMD CPUs tell of threads by a feature that QEMU leaves out of the host's unless asked, and cannot emulate; Linux reads an
 * Intel CPU's threads without it. An Intel host passes the feature over with a warning.
 */
const cpuModel = ({ emulate, threads }: VmShape): string => {
  if (threads === null || threads === 1) return emulate ? "max" : "host";
  return emulate ? "max,vendor=GenuineIntel" : "host,topoext=on";
};

const socketDevice = (id: string, path: string): readonly string[] => [
  "-chardev",
  `socket,id=${id},path=${value(path)},server=off`,
];

/** The kernel's command line: what the guest needs, the user's words, and what its first process runs. */
const kernelCommandLine = ({ append }: VmShape): string =>
  [
    "console=ttyS0,115200 earlyprintk=serial,ttyS0,115200 panic=-1 rdinit=" + GUEST_PROGRAM,
    UNPACKED_SETTING,
    ...(append === "" ? [] : [append]),
    `-- ${GUEST_SCRIPT}`,
  ].join(" ");

/**
 * QEMU with nothing that a guest does not need: two serial ports (any kernel has their driver built in), a monitor, no
 * network, no disk, no screen. It starts stopped, so that its CPUs can be pinned first, and ends where a machine would reboot.
 */
export const qemuCommand = (vm: VmShape, files: VmFiles): readonly string[] => [
  QEMU.program,
  "-nodefaults",
  "-no-user-config",
  "-display",
  "none",
  "-no-reboot",
  "-S",
  "-machine",
  "q35",
  "-accel",
  vm.emulate ? "tcg,thread=multi" : "kvm",
  "-cpu",
  cpuModel(vm),
  "-smp",
  topology(vm),
  "-m",
  `${vm.memoryMib}M`,
  ...numa(vm),
  "-kernel",
  files.kernel,
  "-initrd",
  files.initramfs,
  "-append",
  kernelCommandLine(vm),
  ...socketDevice("console", files.consoleSocket),
  "-serial",
  "chardev:console",
  ...socketDevice("site", files.siteSocket),
  "-serial",
  "chardev:site",
  ...socketDevice("monitor", files.monitorSocket),
  "-mon",
  "chardev=monitor,mode=control",
];

/** Whether sockets × cores × threads, where given, make the number of CPUs. */
export const topologyFits = ({ cpus, sockets, cores, threads }: VmShape): boolean => {
  const given = [sockets, cores, threads].flatMap((count) => (count === null ? [] : [count]));
  const product = given.reduce((all, count) => all * count, 1);
  return given.length === 3 ? product === cpus : cpus % product === 0;
};

/** The host CPU of each vCPU; null: not pinned. */
export const pinOf = ({ pin }: VmShape, vcpu: number): number | null => (pin === null ? null : at(pin, vcpu));
