/** How many runs have landed in a directory of experiments' files, while others write to them. Thin shell. */
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";

const CHUNK_BYTES = 1024 * 1024;
const LINE_END = "\n".codePointAt(0);

/** How far a file has been read, and its lines up to there. */
interface Seen {
  readonly bytes: number;
  readonly lines: number;
}

const readOn = async (path: string, { bytes, lines }: Seen): Promise<Seen> => {
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    let [at, ends] = [bytes, lines];
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, at);
      if (bytesRead === 0) return { bytes: at, lines: ends };
      for (const byte of buffer.subarray(0, bytesRead)) if (byte === LINE_END) ends++;
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
};

/** Looks once more; each file is read from where it was left. */
export const landedIn = (folder: string): (() => Promise<ReadonlyMap<string, number>>) => {
  const seen = new Map<string, Seen>();
  return async () => {
    for (const name of await readdir(folder)) {
      if (!name.endsWith(".ndjson")) continue;
      seen.set(name, await readOn(join(folder, name), seen.get(name) ?? { bytes: 0, lines: 0 }));
    }
    // The first line says what was planned.
    return new Map([...seen].map(([name, { lines }]) => [name.slice(0, -".ndjson".length), Math.max(0, lines - 1)]));
  };
};
