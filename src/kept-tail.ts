/** The last words of a program: the end of what comes over its streams, so that one which never stops talking fills no memory. */

/** Keeps the last `most` characters of some streams of UTF-8 text, as they come; says them when it is asked. */
export const keepTail = (
  streams: readonly (NodeJS.ReadableStream | null | undefined)[],
  most: number,
): (() => string) => {
  let text = "";
  for (const stream of streams)
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text = (text + chunk).slice(-most);
    });
  return () => text;
};
