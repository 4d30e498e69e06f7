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
  return {
    isWhole,
    head: async (bytes) => {
      while (readBytes < bytes && (await next()) !== null);
      return Buffer.concat(kept).subarray(0, bytes);
    },
    async *chunks() {
      if (!isWhole()) throw new Error("a long stream is there once");
      for (let place = 0; ; place++) {
        const chunk = kept[place] ?? (await next());
        if (chunk === null) return;
        yield chunk;
      }
    },
  };
};
