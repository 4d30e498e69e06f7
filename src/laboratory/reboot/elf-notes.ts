/** The build id of a kernel: a note that the linker leaves in it, and that the running kernel shows in /sys/kernel/notes. Pure. */

const BUILD_ID = 3;
const HEADER_BYTES = 12;
const PT_NOTE = 4;
const ELF64 = 2;

const aligned = (bytes: number): number => Math.ceil(bytes / 4) * 4;

/** The build id among notes (elf(5), Nhdr); null: there is none. */
export const buildIdIn = (notes: Buffer): string | null => {
  for (let at = 0; at + HEADER_BYTES <= notes.length;) {
    const nameBytes = notes.readUInt32LE(at);
    const dataBytes = notes.readUInt32LE(at + 4);
    const name = at + HEADER_BYTES;
    const data = name + aligned(nameBytes);
    if (notes.readUInt32LE(at + 8) === BUILD_ID && notes.toString("latin1", name, name + nameBytes) === "GNU\0")
      return data + dataBytes > notes.length ? null : notes.toString("hex", data, data + dataBytes);
    at = data + aligned(dataBytes);
  }
  return null;
};

/** The build id of a 64-bit ELF file, such as a vmlinux; by its segments, since a kernel holds other objects with ids of their own. */
export const buildIdOfElf = (file: Buffer): string | null => {
  if (file.length < 64 || file.toString("latin1", 0, 4) !== "\x7fELF" || file[4] !== ELF64) return null;
  const table = Number(file.readBigUInt64LE(32));
  const [entryBytes, entries] = [file.readUInt16LE(54), file.readUInt16LE(56)];
  for (let index = 0; index < entries; index++) {
    const at = table + index * entryBytes;
    if (at + 56 > file.length) return null;
    if (file.readUInt32LE(at) !== PT_NOTE) continue;
    const start = Number(file.readBigUInt64LE(at + 8));
    const found = buildIdIn(file.subarray(start, start + Number(file.readBigUInt64LE(at + 32))));
    if (found !== null) return found;
  }
  return null;
};
