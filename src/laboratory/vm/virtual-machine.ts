/**
 * A virtual machine from its start to its end: QEMU as a child that does not outlive this process, its vCPUs pinned before the
 * guest runs, its console kept, and one promise that says why it is gone. Thin shell; no upstream counterpart.
 */
import { UserError } from "../../errors.js";
import { keepTail } from "../../kept-tail.js";
import { cannotStart } from "../../start-fault.js";
import { PlaceLost, quoteOutput } from "../../experiment/surroundings.js";
import type { VmShape } from "../../experiment/whereabouts.js";
import { spawnKept } from "../here/group-keeper.js";
import { guardGroup, signalGroup } from "../here/process-group.js";
import type { Channel } from "../remote/serve-site.js";
import { consoleFault, consoleTail } from "./console-fault.js";
import { connectMonitor } from "./monitor.js";
import { pinOf, qemuCommand } from "./qemu-command.js";
import { openSockets } from "./sockets.js";

/** What to boot. */
export interface VmStart {
  readonly vm: VmShape;
  readonly kernel: string;
  /** An open file. */
  readonly initramfs: number;
  /** Such as `the guest of subject "old" (vmlinuz-6.1)`. */
  readonly who: string;
}

/** A running virtual machine. */
export interface VirtualMachine {
  readonly channel: Channel;
  /** Settles when it is gone, with what its console says. */
  readonly gone: Promise<PlaceLost>;
  /** What to say when it is not up after so long. */
  readonly late: (limitSec: number) => PlaceLost;
  /** What to say when it does not answer. */
  readonly silent: () => PlaceLost;
  /** Gives it a moment to end by itself, then ends it; returns when nothing is left. */
  readonly end: (graceMsec: number) => Promise<void>;
}

const SHOWN_LINES = 25;
/** No console is longer; a kernel that reports a fault for every page would fill the memory. */
const KEPT_CHARACTERS = 1024 * 1024;

const NO_KVM =
  "KVM is there but does not run this guest, as in some nested virtual machines. --emulate boots it without KVM; times then mean nothing.";

/** Until there is something to do. */
const ignore = (): void => undefined;

/** What is wrong when not a word came from a guest. */
const silence = (emulate: boolean): string =>
  emulate
    ? "the kernel has no serial console: it needs CONFIG_SERIAL_8250_CONSOLE=y"
    : "the kernel has no serial console (CONFIG_SERIAL_8250_CONSOLE=y), or KVM does not run guests on this machine: see whether --emulate does";

/** What is known of a guest that is gone or silent. */
interface Remains {
  readonly who: string;
  readonly emulate: boolean;
  readonly console: string;
  /** What QEMU itself said. */
  readonly qemu: string;
}

/** The error about a guest that is gone or silent. */
const lostError = (how: string, { who, emulate, console, qemu }: Remains): PlaceLost => {
  const { what, means } = consoleFault(`${qemu}\n${console}`);
  const isEmpty = `${console}${qemu}`.trim() === "";
  const shown = console.trim() === "" ? qemu : consoleTail(console, SHOWN_LINES);
  const meaning = isEmpty ? silence(emulate) : means;
  return new PlaceLost(
    `${who} ${how}${what === null ? "" : `: ${what}`}`,
    [
      ...(meaning === null ? [] : [`Most likely ${meaning}.`]),
      isEmpty
        ? "Its console is empty."
        : quoteOutput(shown, SHOWN_LINES).replace("It printed", "Its console ends with"),
    ].join("\n"),
  );
};

/** Boots a guest; it is running when this returns, but not yet up. */
export const startVirtualMachine = async ({ vm, kernel, initramfs, who }: VmStart): Promise<VirtualMachine> => {
  const sockets = await openSockets(["console", "site", "monitor"]);
  const [program = "", ...args] = qemuCommand(vm, {
    kernel,
    // QEMU opens its standard input once more: the archive has no name, so nothing of it stays however this process ends.
    initramfs: "/dev/stdin",
    consoleSocket: sockets.path("console"),
    siteSocket: sockets.path("site"),
    monitorSocket: sockets.path("monitor"),
  });
  const child = spawnKept({ program, args, stdio: [initramfs, "ignore", "pipe"], env: process.env, last: "SIGKILL" });
  const release = guardGroup(child.pid, "SIGKILL");
  const qemuSaid = keepTail([child.stderr], KEPT_CHARACTERS);
  let consoleSaid: (() => string) | null = null;
  void sockets.connection("console").then((socket) => {
    consoleSaid = keepTail([socket], KEPT_CHARACTERS);
  });
  const lost = (how: string): PlaceLost =>
    lostError(how, { who, emulate: vm.emulate, console: consoleSaid?.() ?? "", qemu: qemuSaid() });

  let isEnding = false;
  const ended = new Promise<Error>((resolve) => {
    child.on("error", (error) => resolve(cannotStart(program, error)));
    child.on("close", () => resolve(lost("is gone")));
  });
  let stopped: (error: PlaceLost) => void = ignore;
  const stoppedByItself = new Promise<PlaceLost>((resolve) => {
    stopped = resolve;
  });
  const gone = Promise.race([ended, stoppedByItself]).then((error) =>
    error instanceof PlaceLost ? error : new PlaceLost(error.message),
  );

  const end = async (graceMsec: number): Promise<void> => {
    isEnding = true;
    const timer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), graceMsec);
    await ended;
    clearTimeout(timer);
    release();
    await sockets.close();
  };

  const run = async (): Promise<VirtualMachine> => {
    const monitor = await connectMonitor(await sockets.connection("monitor"), () => {
      if (isEnding) return;
      const why = vm.emulate ? lost("has stopped") : new PlaceLost(`${who} does not run under KVM`, NO_KVM);
      stopped(why);
    });
    // Loads the system's library, which importing ours must not.
    const { pinThread } = await import("../../platform/libc.js");
    for (const [vcpu, thread] of (await monitor.cpuThreads()).entries()) {
      const cpu = pinOf(vm, vcpu);
      if (cpu !== null && !pinThread(thread, cpu))
        throw new UserError(
          `cannot pin a CPU of ${who} to CPU ${cpu} of this machine`,
          "Name CPUs in pin= that this process may use.",
        );
    }
    const site = await sockets.connection("site");
    await monitor.start();
    return {
      channel: { input: site, output: site },
      gone,
      late: (limitSec) => lost(`was not up after ${limitSec} s`),
      silent: () => lost("does not answer"),
      end,
    };
  };
  try {
    return await Promise.race([run(), gone.then((error) => Promise.reject(error))]);
  } catch (thrown) {
    await end(0);
    throw thrown;
  }
};
