/** All the text of a stream, with a limit: an endless one (`/dev/zero`, a log of a year) is refused, not swallowed. */
import { UserError } from "../../errors.js";

/** More than any schbench has ever printed; a string of V8 holds twice as much. */
export const MAX_INPUT_BYTES = 256 * 1024 * 1024;

/**
 * Collects a stream as UTF-8 text; bytes that are none become U+FFFD, a byte order mark is dropped.
 *
 * @param source what to call the stream in an error
 * @param maxBytes throws UserError for more than that
 */
export const collectText = async (
  stream: AsyncIterable<unknown>,
  source: string,
  maxBytes: number = MAX_INPUT_BYTES,
): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of stream) {
    const part = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
    bytes += part.length;
    if (bytes > maxBytes)
      throw new UserError(
        `cannot read "${source}": it holds more than ${maxBytes / 1024 / 1024} MiB, which no output of schbench does`,
        "Cut out the part that schbench printed.",
      );
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
};
