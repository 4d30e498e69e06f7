/** A stream that is there once, and of which the beginning is kept: to look at it first, and to go through it again. Pure. */

/** Such a stream. */
export interface Replayed {
  /** Its first bytes, at least so many or all there are. */
  readonly head: (bytes: number) => Promise<Uint8Array>;
  /** From the beginning; once more only while `isWhole`. */
  readonly chunks: () => AsyncGenerator<Uint8Array>;
  /** Whether everything that was read so far is still there. */
  readonly isWhole: () => boolean;
}

/** @param mostBytes more than this is not kept */
export const replayed = (source: AsyncIterable<Uint8Array>, mostBytes: number): Replayed => {
  const reader = source[Symbol.asyncIterator]();
  let kept: Uint8Array[] = [];
  let readBytes = 0;
  const isWhole = (): boolean => readBytes <= mostBytes;

  const next = async (): Promise<Uint8Array | null> => {
    const { done, value } = await reader.next();
    if (done === true) return null;
    readBytes += value.length;
    if (isWhole()) kept.push(value);
    else kept = [];
    return value;
  };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    if (!isWhole()) throw new Error("a long stream is there once");
    for (let place = 0; ; place++) {
      const chunk = kept[place] ?? (await next());
      if (chunk === null) return;
      yield chunk;
    }
  }
  return {
    isWhole,
    chunks,
    head: async (bytes) => {
      const parts: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of chunks()) {
        parts.push(chunk);
        length += chunk.length;
        if (length >= bytes) break;
      }
      return Buffer.concat(parts).subarray(0, bytes);
    },
  };
};
