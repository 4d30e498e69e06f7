/** A stream as batches of whole lines, with room for signals between its chunks. */

/** Some lines that follow one another. */
export interface LineBatch {
  /** Whole lines, without their ends. */
  readonly lines: readonly string[];
  /** In the last batch: what follows the last line end; else empty. */
  readonly tail: string;
}

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The lines of a stream of bytes, read as UTF-8, without a byte order mark. Holds one chunk and one line at a time.
 *
 * @param tooLong told how long a line has become that has no end yet
 */
export async function* linesOfStream(
  chunks: AsyncIterable<Uint8Array>,
  tooLong: (bytes: number) => void,
): AsyncGenerator<LineBatch> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let isFirst = true;
  const textOf = (parts: readonly Buffer[]): string => {
    const [only] = parts;
    const text = (parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)).toString("utf8");
    const clean = isFirst && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    isFirst = false;
    return clean;
  };
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = chunk.lastIndexOf(NEWLINE);
    if (end < 0) {
      begun.push(chunk);
      begunBytes += chunk.length;
      tooLong(begunBytes);
      continue;
    }
    const whole = textOf([...begun, chunk.subarray(0, end)]);
    begun = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
    begunBytes = chunk.length - end - 1;
    yield { lines: whole.split("\n"), tail: "" };
  }
  if (begun.length > 0) yield { lines: [], tail: textOf(begun) };
}
