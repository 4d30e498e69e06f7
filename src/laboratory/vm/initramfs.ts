/** The first and only root of a guest: our command, what subjects start, a shell and their libraries, as one archive. */
import { statSync } from "node:fs";
import { UserError } from "../../errors.js";
import type { Subject } from "../../experiment/subject.js";
import { fileReason } from "../../file-reason.js";
import { BYTES_PER_MIB } from "../../units.js";
import { type Brought, broughtFor } from "./brought-programs.js";
import { type CpioEntry, writeCpio } from "./cpio.js";
import { GUEST_SETTINGS_FILE, type GuestSettings } from "./guest-settings.js";
import { ownFiles, ownPrograms } from "./own-files.js";

/** Mount points and writable folders of an empty machine. */
const FOLDERS = ["/proc", "/sys", "/dev", "/tmp", "/run", "/root", "/var", "/mnt"];

const entryOf = ({ host, guest }: Brought): CpioEntry => {
  try {
    return { kind: "file", path: guest, from: host, mode: statSync(host).mode & 0o777 };
  } catch (thrown) {
    throw new UserError(`cannot read "${host}" for the guest: ${fileReason(thrown, "read")}`, "Name another file.", {
      cause: thrown,
    });
  }
};

/** Everything in the root of a guest. */
export const rootEntries = (
  subject: Subject,
  files: readonly Brought[],
  settings: GuestSettings,
): readonly CpioEntry[] => {
  const own = ownFiles();
  const brought = broughtFor(subject, { own: ownPrograms(own), files, path: settings.path });
  const ours = new Set(own.map(({ host }) => host));
  const folders = [...FOLDERS, ...(settings.folder === "/" ? [] : [settings.folder])];
  return [
    ...folders.map((path): CpioEntry => ({ kind: "folder", path })),
    // The kernel gives its first process these three streams before there is a /dev.
    { kind: "device", path: "/dev/console", major: 5, minor: 1 },
    { kind: "device", path: "/dev/null", major: 1, minor: 3 },
    { kind: "text", path: GUEST_SETTINGS_FILE, text: JSON.stringify(settings), mode: 0o644 },
    ...[...own, ...brought.filter(({ host, guest }) => !ours.has(host) || host !== guest)].map(entryOf),
  ];
};

/** Writes the archive to an open file; returns its length in MiB. */
export const writeInitramfs = (out: number, entries: readonly CpioEntry[]): number =>
  Math.ceil(writeCpio(out, entries) / BYTES_PER_MIB);
