/** A chart with its title, one line on how to read it, and the table behind it. */
import type { ChartWidth } from "./plot-svg.js";
import type { SeriesStyle } from "./palette.js";
import { type Content, type Markup, markup } from "./markup.js";

/** A chart that can be drawn for any width, and what goes with it. */
export interface Figure {
  readonly title: string;
  /** One line on how to read the chart. */
  readonly reading: Content;
  /** Which series is which; left out when labels in the chart say it. */
  readonly key?: Content;
  readonly draw: (width: ChartWidth) => Content;
  /** The numbers drawn; shown on request. */
  readonly table: Content;
}

const caption = ({ title, reading, key }: Figure): Markup =>
  markup`<figcaption>
    <h3>${title}</h3>
    <p class="reading">${reading}</p>
    ${key ?? null}
  </figcaption>`;

const behind = (table: Content): Content =>
  table === null
    ? null
    : markup`<details>
        <summary>Numbers</summary>
        <div class="scroll" tabindex="0" role="region" aria-label="Numbers behind the chart">${table}</div>
      </details>`;

/** A figure as wide as the page, drawn a second time for telephones. */
export const fullFigure = (figure: Figure): Markup =>
  markup`<figure>
    ${caption(figure)}
    <div class="wide">${figure.draw("wide")}</div>
    <div class="narrow">${figure.draw("narrow")}</div>
    ${behind(figure.table)}
  </figure> `;

/** Figures in two columns, one column on telephones. */
export const pairedFigures = (figures: readonly Figure[]): Markup =>
  markup`<div class="pair">
    ${figures.map((figure) => markup`<figure>${caption(figure)}${figure.draw("half")}${behind(figure.table)}</figure> `)}
  </div>`;

/** The key of a chart: mark and name of each series. */
export const seriesKey = (
  series: readonly { readonly name: string; readonly style: SeriesStyle; readonly number: number }[],
): Markup =>
  markup`<ul class="key">
    ${series.map(
      ({ name, style, number }) =>
        markup`<li><span class="number-${number}" aria-hidden="true">${style.mark}</span> <bdi>${name}</bdi></li>`,
    )}
  </ul>`;
