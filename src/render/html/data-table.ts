/** Tables of figures: text to the left, numbers to the right, units in the heads. */
import { type Content, type Markup, markup } from "./markup.js";

/** A column: its head, and whether it holds text or numbers. */
export interface Column {
  readonly head: Content;
  readonly kind: "text" | "number";
}

/** A text column. */
export const textColumn = (head: Content): Column => ({ head, kind: "text" });

/** A column of numbers. */
export const numberColumn = (head: Content): Column => ({ head, kind: "number" });

/** A table; the first cell of each row is its head. */
export const dataTable = (
  columns: readonly Column[],
  rows: readonly (readonly Content[])[],
  caption: Content = null,
): Markup =>
  markup`<table>
    ${
      caption === null
        ? null
        : markup`<caption>
            ${caption}
          </caption>`
    }
    <thead>
      <tr>
        ${columns.map(({ head, kind }) => markup`<th scope="col" class="${kind}">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          markup`<tr>
            ${row.map((cell, i) => {
              const kind = columns[i]?.kind ?? "number";
              return i === 0
                ? markup`<th scope="row" class="${kind}">${cell}</th>`
                : markup`<td class="${kind}">${cell}</td>`;
            })}
          </tr> `,
      )}
    </tbody>
  </table>`;
