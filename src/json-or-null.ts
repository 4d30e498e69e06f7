/** The value of a line of JSON among lines that may be anything else; null where it is none. Pure. */
export const jsonOrNull = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
};
