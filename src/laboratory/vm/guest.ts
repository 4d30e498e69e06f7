/**
 * The first process of a guest, right from the kernel: mounts what an empty machine lacks, then serves the site over a serial
 * port until the experiment leaves, and ends the machine. There is no other init, no shell and no distribution.
 *
 * What it prints goes to the console, which the experiment shows when the guest fails. Were it to end, the kernel would panic,
 * which shows there too.
 */
import { constants, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { ReadStream, WriteStream } from "node:tty";
import { messageOf } from "../../errors.js";
import { mountFileSystem, nameMachine, restartMachine } from "../../platform/libc.js";
import { machineSite } from "../here/machine-site.js";
import { serveSite } from "../remote/serve-site.js";
import { GUEST_SETTINGS_FILE, type GuestSettings, guestSettings } from "./guest-settings.js";

/** File systems of the kernel, in an order in which each has its folder; those after the first three may be missing. */
const MOUNTS = [
  ["proc", "/proc"],
  ["sysfs", "/sys"],
  ["devtmpfs", "/dev"],
  ["devpts", "/dev/pts"],
  ["tmpfs", "/dev/shm"],
  ["cgroup2", "/sys/fs/cgroup"],
  ["securityfs", "/sys/kernel/security"],
  ["debugfs", "/sys/kernel/debug"],
  ["tracefs", "/sys/kernel/tracing"],
  ["bpf", "/sys/fs/bpf"],
] as const;
const NEEDED = 3;
const OPTIONS: Readonly<Record<string, string>> = {
  proc: "CONFIG_PROC_FS",
  sysfs: "CONFIG_SYSFS",
  devtmpfs: "CONFIG_DEVTMPFS",
};
/** Only errors go to the console while a benchmark runs: each character costs the guest an exit. */
const QUIET = "4 4 1 7\n";

const mountAll = (): void => {
  for (const [index, [type, target]] of MOUNTS.entries()) {
    try {
      mkdirSync(target, { recursive: true });
    } catch {
      // A folder of a file system that this kernel does not have.
    }
    if (!mountFileSystem(type, target) && index < NEEDED)
      throw new Error(`cannot mount ${target}: the guest's kernel needs ${OPTIONS[type]}=y`);
  }
};

const readSettings = (): GuestSettings => guestSettings.parse(JSON.parse(readFileSync(GUEST_SETTINGS_FILE, "utf8")));

/** A serial port that passes on every byte; opened without waiting for a carrier, and without becoming our terminal. */
const openPort = (path: string) => {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  } catch (thrown) {
    throw new Error(
      `cannot open ${path} (${messageOf(thrown)}): the guest's kernel needs CONFIG_SERIAL_8250=y with two ports`,
      {
        cause: thrown,
      },
    );
  }
  const input = new ReadStream(fd);
  input.setRawMode(true);
  return { input, output: new WriteStream(fd) };
};

/** What every program in the guest starts with. */
const settle = ({ hostname, folder, path }: GuestSettings): void => {
  nameMachine(hostname);
  mkdirSync(folder, { recursive: true });
  process.chdir(folder);
  process.env["PATH"] = path;
  process.env["HOME"] = "/root";
  process.env["TMPDIR"] = "/tmp";
};

const serve = async (): Promise<void> => {
  mountAll();
  const settings = readSettings();
  settle(settings);
  const port = openPort(settings.port);
  writeFileSync("/proc/sys/kernel/printk", QUIET);
  await serveSite(machineSite, port);
};

void serve()
  .catch((thrown: unknown) => process.stderr.write(`schbench-ts guest: ${messageOf(thrown)}\n`))
  .finally(restartMachine);
