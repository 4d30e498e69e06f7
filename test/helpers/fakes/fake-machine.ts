/**
 * A machine that boots, in memory: a disk that outlasts boots, kexec, GRUB's and systemd-boot's choice of one boot, kernels that do
 * not come up, and a power that can be cut at any effect. Every effect is logged.
 */
import assert from "node:assert/strict";
import type { RebootSystem } from "../../../src/laboratory/reboot/system.js";
import { UNIT_FILE, UNIT_LINK } from "../../../src/laboratory/reboot/unit.js";

/** The power is gone: nothing of the process goes on. */
export class PowerLoss extends Error {
  override readonly name = "PowerLoss";
}

/** A kernel's image as far as it is read: the release and the build. */
export const fakeKernel = (release: string, build = "#1 SMP test"): Buffer => {
  const image = Buffer.alloc(4096);
  image.write("HdrS", 0x202, "latin1");
  image.writeUInt16LE(0x400, 0x20e);
  image.write(`${release} (me@here) ${build}\0`, 0x600, "latin1");
  return image;
};

/** A build id as /sys/kernel/notes has it. */
export const fakeNotes = (buildId: string): Buffer => {
  const head = Buffer.from("040000001400000003000000474e5500", "hex");
  return Buffer.concat([head, Buffer.from(buildId.padEnd(40, "0"), "hex")]);
};

/** A machine before its first boot. */
interface FakeSpec {
  /** Release by the path of the image; the first is what starts unless something else is chosen. */
  readonly kernels: Readonly<Record<string, string>>;
  readonly programs?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly uid?: number;
}

const USUAL = "BOOT_IMAGE=/boot/usual root=/dev/sda1 quiet";
export const MOUNTS = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 22 0:25 / /run rw - tmpfs tmpfs rw\n";
const GRUB_HEAD = 'if [ "${next_entry}" ] ; then\n  set default="${next_entry}"\nfi\n';

/** GRUB's menu for some kernels, as its generator writes it: a submenu with an entry for each. */
export const grubMenu = (kernels: readonly string[]): string =>
  [
    GRUB_HEAD,
    "submenu 'Advanced options' $menuentry_id_option 'advanced' {",
    ...kernels.flatMap((path) => [
      `\tmenuentry 'Linux (recovery mode)' --class os $menuentry_id_option '${path}-recovery' {`,
      `\t\tlinux\t${path} root=/dev/sda1 single`,
      "\t}",
      `\tmenuentry 'Linux' --class os $menuentry_id_option '${path}-advanced' {`,
      "\t\tif [ x = y ]; then",
      "\t\t\tinsmod ext2",
      "\t\tfi",
      `\t\tlinux\t${path} root=/dev/sda1 quiet`,
      "\t}",
    ]),
    "}",
  ].join("\n");

/** `uname -v` of an image. */
const buildOf = (image: Buffer | undefined): string => {
  const words = image?.toString("latin1", 0x600, image.indexOf(0, 0x600)) ?? "";
  return words.slice(words.indexOf("#"));
};

/** Builds a machine that runs its usual kernel. */
export const fakeMachine = ({ kernels, programs = ["kexec", "systemctl", "sync"], files = {}, uid = 0 }: FakeSpec) => {
  const images = new Map(Object.entries(kernels).map(([path, release]) => [path, fakeKernel(release)]));
  const [usual = ""] = Object.keys(kernels);
  const disk = new Map<string, string>(Object.entries(files));
  const log: string[] = [];
  const dead = new Set<string>();
  let power = { effects: 0, cutAt: Number.POSITIVE_INFINITY, before: true };
  let isOff = false;
  let boots = 1;
  let running = { kernel: usual, commandLine: USUAL };
  let loaded: { readonly kernel: string; readonly commandLine: string } | null = null;
  let next: string | null = null;
  let going: "kexec" | "reboot" | null = null;
  let nowMsec = Date.UTC(2026, 0, 1);

  const effect = async (what: string, work: () => void): Promise<void> => {
    if (isOff) throw new PowerLoss();
    power.effects++;
    const isCut = power.effects === power.cutAt;
    if (isCut && power.before) isOff = true;
    else {
      log.push(what);
      work();
      isOff = isCut;
    }
    if (isOff) throw new PowerLoss();
  };

  const release = (): string => kernels[running.kernel] ?? assert.fail(`no kernel ${running.kernel}`);
  const machineFiles = (): Readonly<Record<string, string>> => ({
    "/proc/sys/kernel/random/boot_id": `boot-${boots}\n`,
    "/proc/sys/kernel/osrelease": `${release()}\n`,
    "/proc/sys/kernel/version": `${buildOf(images.get(running.kernel))}\n`,
    "/proc/cmdline": `${running.commandLine}\n`,
    "/proc/self/mountinfo": MOUNTS,
    "/run/systemd/system": "",
    "/sys/kernel/kexec_loaded": "0\n",
  });
  const read = (path: string): string | null => disk.get(path) ?? machineFiles()[path] ?? null;

  /** What the programs of a machine do. */
  const act = ([program = "", first = "", ...rest]: readonly string[]): void => {
    if (program === "kexec") {
      const commandLine = rest.find((word) => word.startsWith("--command-line="))?.slice("--command-line=".length);
      loaded = { kernel: rest[1] ?? "", commandLine: commandLine ?? "" };
    } else if (program === "grub-reboot")
      next =
        first
          .split(">")
          .at(-1)
          ?.replace(/-advanced$/u, "") ?? "";
    else if (program === "bootctl" && first === "set-oneshot") next = `/boot/${rest[0]?.replace(/\.conf$/u, "")}`;
    else if (program === "systemctl" && first === "enable") disk.set(UNIT_LINK, "");
    else if (program === "systemctl" && (first === "kexec" || first === "reboot")) going = first;
  };

  const system: RebootSystem = {
    uid,
    files: {
      readText: (path) => read(path),
      readGzipText: () => null,
      list: (path) =>
        [...disk.keys()].filter((file) => file.startsWith(`${path}/`)).map((file) => file.slice(path.length + 1)),
      exists: (path) => read(path) !== null,
    },
    readBytes: (path) => {
      if (path === "/sys/kernel/notes") return fakeNotes(Buffer.from(release()).toString("hex"));
      const image = images.get(path);
      if (image === undefined) throw Object.assign(new Error(path), { code: "ENOENT" });
      return image;
    },
    findProgram: (name) => (programs.includes(name) ? `/bin/${name}` : null),
    run: async (command) => {
      if (command[1] === "is-installed") return { exitCode: 0, stdout: Buffer.from("yes\n"), stderr: "" };
      await effect(command.join(" "), () => act(command));
      return { exitCode: 0, stdout: Buffer.alloc(0), stderr: "" };
    },
    write: (path, text) => effect(`write ${path}`, () => void disk.set(path, text)),
    append: (path, text) =>
      effect(`append ${path} ${text.trim()}`, () => void disk.set(path, (disk.get(path) ?? "") + text)),
    remove: (path) => effect(`remove ${path}`, () => void disk.delete(path)),
    nowMsec: () => (nowMsec += 1000),
    sleep: async () => undefined,
  };

  return {
    system,
    disk,
    log,
    /** Kernels that hang: somebody turns the machine off and on, and the usual one starts. */
    dead,
    images,
    effect,
    running: () => ({ ...running, bootId: `boot-${boots}`, release: release() }),
    boots: () => boots,
    effects: () => power.effects,
    isLeaving: () => going !== null,
    unitStarts: () => disk.has(UNIT_FILE) && disk.has(UNIT_LINK),
    /** The power will be cut at that effect, from 1, before or after it is done. */
    cutAt: (effectNumber: number, before: boolean) => {
      power = { ...power, cutAt: effectNumber, before };
    },
    /** Cuts the power now. */
    cut: (): never => {
      isOff = true;
      throw new PowerLoss();
    },
    /** Starts the machine: with what was loaded or chosen, if it was asked to; off and on, with what a loader keeps. */
    boot: () => {
      const chosen =
        going === "kexec" && loaded !== null && !isOff
          ? loaded
          : { kernel: next ?? usual, commandLine: `BOOT_IMAGE=${next ?? usual} root=/dev/sda1 quiet` };
      [loaded, next, going, isOff] = [null, null, null, false];
      boots++;
      running = dead.has(chosen.kernel) ? { kernel: usual, commandLine: USUAL } : chosen;
    },
  };
};

export type FakeMachine = ReturnType<typeof fakeMachine>;
