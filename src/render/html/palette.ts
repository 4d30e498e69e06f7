/**
 * How series look: colours of Okabe and Ito (2008), which stay apart for colour-blind readers, each with a dash and a
 * symbol of its own, so that no series is told by colour alone. Colours are CSS variables: the style sheet gives them
 * their values for light, dark and paper.
 */

/** The looks of one series. */
export interface SeriesStyle {
  readonly colour: string;
  /** The same hue, dark (or light) enough for text. */
  readonly textColour: string;
  /** SVG dash pattern; "none" is a solid line. */
  readonly dash: string;
  readonly symbol: "circle" | "diamond2" | "triangle2" | "square2" | "cross" | "wye";
  /** The symbol as a character, for legends in text. */
  readonly mark: string;
}

const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "4 4", "1 2"] as const;
const SYMBOLS = ["circle", "diamond2", "triangle2", "square2", "cross", "wye"] as const;
const MARKS = ["●", "◆", "▲", "■", "✚", "Y"] as const;

/** Number of series that can be told apart at a glance. */
export const SERIES_COUNT = 6;

/** The style of the n-th series (from 0); beyond the sixth they repeat. */
export const seriesStyle = (index: number): SeriesStyle => {
  const i = index % SERIES_COUNT;
  return {
    colour: `var(--series-${i + 1})`,
    textColour: `var(--series-text-${i + 1})`,
    dash: DASHES[i] ?? "none",
    symbol: SYMBOLS[i] ?? "circle",
    mark: MARKS[i] ?? "●",
  };
};
/** Steps of the sequential scale of heat maps, from few to many. */
export const HEAT_STEPS = 7;

/** Colour of a heat-map step, 1 to HEAT_STEPS. */
export const heatColour = (step: number): string => `var(--heat-${Math.min(Math.max(step, 1), HEAT_STEPS)})`;
