/**
 * An archive as the kernel unpacks it for its first root: cpio in the "newc" format (Documentation/driver-api/early-userspace/
 * buffer-format.rst). Written without root: a device node in an archive is only a number. Pure but for the files it copies.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";

/** One thing in the archive; paths are absolute. */
export type CpioEntry =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "text"; readonly path: string; readonly text: string; readonly mode: number }
  /** The content of a file of this machine. */
  | { readonly kind: "file"; readonly path: string; readonly from: string; readonly mode: number }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | { readonly kind: "device"; readonly path: string; readonly major: number; readonly minor: number };

const TYPE = {
  folder: 0o040000,
  text: 0o100000,
  file: 0o100000,
  link: 0o120000,
  device: 0o020000,
} as const satisfies Record<CpioEntry["kind"], number>;
const ALIGNMENT = 4;
const COPY_BYTES = 1024 * 1024;

const padding = (bytes: number): Buffer => Buffer.alloc((ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT);

const modeOf = (entry: CpioEntry): number => {
  if (entry.kind === "file" || entry.kind === "text") return TYPE[entry.kind] + entry.mode;
  return TYPE[entry.kind] + { folder: 0o755, link: 0o777, device: 0o600 }[entry.kind];
};

/** The header of an entry with its name, padded. */
const headerOf = (
  name: string,
  fields: {
    readonly inode: number;
    readonly mode: number;
    readonly size: number;
    readonly device: readonly [number, number];
  },
): Buffer => {
  const { inode, mode, size, device } = fields;
  const nameBytes = Buffer.byteLength(name) + 1;
  // inode, mode, uid, gid, links, mtime, size, device of the file system, device, length of the name, check
  const words = [inode, mode, 0, 0, 1, 0, size, 0, 0, ...device, nameBytes, 0];
  const head = Buffer.from(`070701${words.map((word) => word.toString(16).padStart(8, "0")).join("")}${name}\0`);
  return Buffer.concat([head, padding(head.length)]);
};

/** Copies a file's bytes; returns how many there were. */
const copyInto = (out: number, from: number): number => {
  const buffer = Buffer.allocUnsafe(COPY_BYTES);
  let total = 0;
  for (;;) {
    const got = readSync(from, buffer, 0, buffer.length, null);
    if (got === 0) return total;
    for (let written = 0; written < got;) written += writeSync(out, buffer, written, got - written);
    total += got;
  }
};

/** Every folder above the given paths, from the root down, each once. */
export const foldersOf = (paths: readonly string[]): readonly string[] => {
  const folders = paths.flatMap((path) => {
    const parts = path.split("/").slice(1, -1);
    return parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`);
  });
  return [...new Set(folders)].toSorted((a, b) => (a < b ? -1 : 1));
};

/**
 * Writes an archive to an open file, the folders of every entry before it.
 *
 * @returns its length in bytes
 */
export const writeCpio = (out: number, entries: readonly CpioEntry[]): number => {
  let bytes = 0;
  let inode = 0;
  const put = (data: Buffer): void => {
    for (let written = 0; written < data.length;) written += writeSync(out, data, written);
    bytes += data.length;
  };
  const begin = (path: string, mode: number, size: number, device: readonly [number, number] = [0, 0]): void =>
    put(headerOf(path.slice(1), { inode: ++inode, mode, size, device }));
  const putBytes = (path: string, mode: number, data: Buffer): void => {
    begin(path, mode, data.length);
    put(data);
    put(padding(data.length));
  };
  const putFile = (path: string, mode: number, from: string): void => {
    const file = openSync(from, "r");
    try {
      const { size } = fstatSync(file);
      begin(path, mode, size);
      const copied = copyInto(out, file);
      if (copied !== size) throw new Error(`"${from}" changed while it was copied`);
      bytes += size;
      put(padding(size));
    } finally {
      closeSync(file);
    }
  };

  const wanted = new Set(entries.map(({ path }) => path));
  const folders = foldersOf([...wanted]).filter((path) => !wanted.has(path));
  const all: readonly CpioEntry[] = [...folders.map((path): CpioEntry => ({ kind: "folder", path })), ...entries];
  for (const entry of all) {
    const mode = modeOf(entry);
    if (entry.kind === "file") putFile(entry.path, mode, entry.from);
    else if (entry.kind === "text") putBytes(entry.path, mode, Buffer.from(entry.text));
    else if (entry.kind === "link") putBytes(entry.path, mode, Buffer.from(entry.target));
    else begin(entry.path, mode, 0, entry.kind === "device" ? [entry.major, entry.minor] : [0, 0]);
  }
  put(headerOf("TRAILER!!!", { inode: 0, mode: 0, size: 0, device: [0, 0] }));
  return bytes;
};
