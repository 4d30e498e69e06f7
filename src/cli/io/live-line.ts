/** One line on a terminal that is written over until it is taken away; never there when stderr is a pipe or a file. */
import type { Io } from "./command.js";

const CLEAR_LINE = "\r\u001b[K";

/** The line. */
export interface LiveLine {
  readonly draw: (text: string) => void;
  readonly clear: () => void;
}

/** A live line on this io's stderr; `isShown` false: nothing is ever drawn. */
export const createLiveLine = ({ stderr }: Pick<Io, "stderr">, isShown = true): LiveLine => {
  let isDrawn = false;
  return {
    draw: (text) => {
      if (!stderr.isTerminal || !isShown) return;
      stderr.write(`${CLEAR_LINE}${text.slice(0, (stderr.columns ?? 80) - 1)}`);
      isDrawn = true;
    },
    clear: () => {
      if (isDrawn) stderr.write(CLEAR_LINE);
      isDrawn = false;
    },
  };
};
