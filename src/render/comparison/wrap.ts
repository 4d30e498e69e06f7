/** Prose in lines of a width. Pure. */
import { displayWidth } from "../table.js";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A word in pieces that fit, where it alone is too wide. */
const pieces = (word: string, width: number): readonly string[] => {
  const found: string[] = [];
  let rest = Array.from(segmenter.segment(word), ({ segment }) => segment);
  while (displayWidth(rest.join("")) > width) {
    found.push(rest.slice(0, width).join(""));
    rest = rest.slice(width);
  }
  return [...found, rest.join("")];
};

/** The text in lines of at most so many columns; lines after the first begin with `indent`. */
export const wrapped = (text: string, columns: number, indent = ""): readonly string[] => {
  const lead = /^ */.exec(text)?.[0] ?? "";
  const lines: string[] = [];
  let line = lead;
  for (const word of text
    .trim()
    .split(/ +/)
    .flatMap((one) => pieces(one, columns - indent.length))) {
    const begun = line.trim() !== "";
    if (begun && displayWidth(line) + 1 + displayWidth(word) > columns) {
      lines.push(line);
      line = indent + word;
    } else line = begun ? `${line} ${word}` : line + word;
  }
  return [...lines, line];
};
