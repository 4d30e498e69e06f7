/** Aligned tables of text for a terminal or a mail; wide characters take two columns, colour takes none. */
import { at } from "../at.js";

/** One cell: its text, where it stands in its column, and how it is coloured (after padding). */
export interface Cell {
  readonly text: string;
  readonly align?: "left" | "right";
  readonly paint?: (text: string) => string;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const INVISIBLE = /^[\p{Control}\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;
/** East Asian wide and fullwidth characters, and emoji that are drawn as pictures (with or without a selector). */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}\ufe0f]/u;
const HALF_WIDTH = /^[\uff61-\uffdc\uffe8-\uffee]/u;

/** Columns that a text takes on a terminal. */
export const displayWidth = (text: string): number => {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    if (INVISIBLE.test(segment)) continue;
    width += WIDE.test(segment) && !HALF_WIDTH.test(segment) ? 2 : 1;
  }
  return width;
};

/** The text filled with blanks to a width; longer texts stay as they are. */
export const padded = (text: string, width: number, align: "left" | "right" = "left"): string => {
  const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "right" ? blanks + text : text + blanks;
};

/** Width of each column of the rows. */
export const columnWidths = (rows: readonly (readonly Cell[])[]): readonly number[] => {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths.at(column) ?? 0, displayWidth(cell.text));
    });
  return widths;
};

/** Rows as lines with two blanks between columns, none at a line's end. */
export const alignedRows = (rows: readonly (readonly Cell[])[]): readonly string[] => {
  const widths = columnWidths(rows);
  return rows.map((row) => {
    const filled = row.findLastIndex((cell) => cell.text !== "");
    return row
      .slice(0, filled + 1)
      .map((cell, column) => {
        const last = column === filled && cell.align !== "right";
        const text = last ? cell.text : padded(cell.text, at(widths, column), cell.align);
        return cell.paint === undefined ? text : cell.paint(text);
      })
      .join("  ");
  });
};

/** Width of the widest line that `alignedRows` makes of the rows. */
export const tableWidth = (rows: readonly (readonly Cell[])[]): number => {
  const widths = columnWidths(rows);
  return widths.reduce((sum, width) => sum + width, 0) + 2 * Math.max(0, widths.length - 1);
};
