/** Whether a file can be a binary at all: objdump's own words about one that cannot are no help. */
import { open } from "node:fs/promises";
import { constants } from "node:fs";
import { fileReason } from "../../file-reason.js";

const ELF = "\u007fELF";

/** Why a file is no ELF file, as the end of a sentence; null: it begins like one. Waits for no pipe. */
export const whyNoBinary = async (path: string): Promise<string | null> => {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (found.isDirectory()) return "it is a directory";
      if (!found.isFile()) return "it is a pipe or a device";
      const { bytesRead, buffer } = await file.read(Buffer.alloc(ELF.length), 0, ELF.length, 0);
      const start = buffer.toString("latin1", 0, bytesRead);
      if (start.startsWith("#!")) return "it is a script";
      return start === ELF ? null : "it is not an ELF file";
    } finally {
      await file.close();
    }
  } catch (thrown) {
    return fileReason(thrown, "read");
  }
};
