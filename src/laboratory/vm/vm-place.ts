/** A place that is a virtual machine with a kernel: each stay is one boot. */
import { hostname } from "node:os";
import { basename } from "node:path";
import type { Place, Stay } from "../../experiment/laboratory.js";
import { Interrupted } from "../../experiment/surroundings.js";
import type { Whereabouts } from "../../experiment/whereabouts.js";
import { connectSite } from "../remote/remote-site.js";
import { openNameless } from "../here/nameless-file.js";
import { writeInitramfs, rootEntries } from "./initramfs.js";
import { kernelFile } from "./kernel-file.js";
import { GUEST_PORT } from "./qemu-command.js";
import { startVirtualMachine, type VirtualMachine } from "./virtual-machine.js";
import { checkVm, hostForVm } from "./vm-check.js";

type VmWhereabouts = Extract<Whereabouts, { kind: "vm" }>;

/** How long a guest may take to end after it was told to. */
const LEAVE_MSEC = 10_000;
const STANDARD_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Until there is something to do. */
const ignore = (): void => undefined;

const pathHere = (): string => [process.env["PATH"] ?? "", STANDARD_PATH].filter((part) => part !== "").join(":");

const boot = async ({ kernel, vm }: VmWhereabouts, { subject }: Stay): Promise<VirtualMachine> => {
  const archive = await openNameless();
  try {
    const settings = { hostname: `${hostname()}-vm`, folder: process.cwd(), path: pathHere(), port: GUEST_PORT };
    writeInitramfs(archive.fd, rootEntries(subject, vm.files, settings));
    const who = `the guest of subject "${subject.name}" (${basename(kernel)})`;
    return await startVirtualMachine({ vm, kernel: kernelFile(kernel), initramfs: archive.fd, who });
  } finally {
    await archive.close();
  }
};

/** Waits for the first of: the guest is up, it is gone, it takes too long, the experiment is stopped. */
const untilUp = async <T>(
  site: Promise<T>,
  machine: VirtualMachine,
  limitSec: number,
  signal: AbortSignal,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  let stop: () => void = ignore;
  try {
    return await Promise.race([
      site,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(machine.late(limitSec)), limitSec * 1000);
        stop = () => reject(new Interrupted());
        if (signal.aborted) stop();
        signal.addEventListener("abort", stop, { once: true });
      }),
    ]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
};

/** The place of subjects with this kernel in this virtual machine. */
export const vmPlace = (where: VmWhereabouts): Place => ({
  check: async () => {
    checkVm(kernelFile(where.kernel), where.vm, hostForVm());
  },
  enter: async (stay, signal) => {
    const machine = await boot(where, stay);
    const connection = connectSite(machine.channel, machine);
    try {
      const site = await untilUp(connection.site, machine, where.vm.bootLimitSec, signal);
      return {
        kind: "there",
        site,
        leave: async () => {
          connection.leave();
          await machine.end(LEAVE_MSEC);
        },
      };
    } catch (thrown) {
      await machine.end(0);
      throw thrown;
    }
  },
  // A guest is gone with its stay.
  close: async () => undefined,
  plan: async () => ({
    refusal: null,
    once: [],
    each: [`boot ${where.kernel} in a virtual machine of ${where.vm.cpus} CPUs and ${where.vm.memoryMib} MiB`],
    end: [],
  }),
});
