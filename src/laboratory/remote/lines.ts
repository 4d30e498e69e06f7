/** Lines of a stream, however it cuts them. */

/** Hands over each whole line; carriage returns that a terminal adds are dropped. */
export const onLines = (stream: NodeJS.ReadableStream, take: (line: string) => void): void => {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") take(line);
  });
};
