/**
 * The picture of a validation: a line for each axis, a mark for each figure where it lies beyond the envelope, latencies beside
 * the fingerprint. An SVG that stands alone, in light and dark.
 */
import type { AxisValidation, CellStatus, MetricValidation, Validation } from "../../validate/validation.js";
import { type Markup, markup } from "../html/markup.js";
import {
  cellsOf,
  distanceOf,
  drawnBounds,
  percentText,
  type ToldCell,
  validationHeadline,
} from "./validation-sentences.js";

const NAMES_WIDTH = 118;
const PANEL_WIDTH = 366;
const PANEL_GAP = 44;
const HEAD = 64;
const ROW = 22;
const FOOT = 64;
/** Distances of the ticks; beyond the last a mark stands at the edge. */
const TICKS = [-100, -30, -10, -3, -1, 0, 1, 3, 10, 30, 100] as const;
const FARTHEST = 100;
/** Distances below this are drawn nearly in proportion, larger ones ever closer. */
const LINEAR_PERCENT = 1;

const STYLE = `
text { font: 12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1b1f24; }
.soft { fill: #59626d; font-size: 11px; }
.ground { fill: #ffffff; }
.band { fill: #f1f3f5; }
.grid { stroke: #e4e7eb; }
.edge { stroke: #8a939d; }
.inside { fill: #0072b2; stroke: #0072b2; }
.noise { fill: #ffffff; stroke: #8a939d; }
.undecided { fill: #ffffff; stroke: #d55e00; }
.outside { fill: #d55e00; stroke: #d55e00; }
text.outside { stroke: none; fill: #b04c00; font-size: 11px; }
@media (prefers-color-scheme: dark) {
text { fill: #e6e9ed; } .soft { fill: #a0a9b4; } .ground { fill: #14171b; } .band { fill: #1c2026; } .grid { stroke: #2a3037; }
.inside { fill: #56b4e9; stroke: #56b4e9; } .noise { fill: #14171b; } .undecided { fill: #14171b; stroke: #f0883e; }
.outside { fill: #f0883e; stroke: #f0883e; } text.outside { fill: #f5a066; }
}`;

/** Where a distance is drawn, from −1 to 1. */
const placeOf = (percent: number): number => {
  const size = Math.min(Math.abs(percent), FARTHEST);
  return (Math.sign(percent) * Math.asinh(size / LINEAR_PERCENT)) / Math.asinh(FARTHEST / LINEAR_PERCENT);
};

/** One column of the picture: a group of figures of one of our builds. */
interface Panel {
  readonly title: string;
  readonly cells: readonly ToldCell[];
}

const GROUPS = [
  ["latency", "latencies and rates"],
  ["fingerprint", "what the kernel saw"],
] as const satisfies readonly (readonly [MetricValidation["group"], string])[];

const panelsOf = (validation: Validation): readonly Panel[] => {
  const cells = cellsOf(validation);
  const ours = validation.subjects.filter(({ role }) => role === "ours").map(({ name }) => name);
  return ours.flatMap((name) =>
    GROUPS.map(([group, title]) => ({
      title: ours.length > 1 ? `${name}: ${title}` : title,
      cells: cells.filter(({ metric, verdict }) => metric.group === group && verdict.subject === name),
    })).filter((panel) => panel.cells.length > 0),
  );
};

const DRAWN = new Set<CellStatus>(["inside", "noise", "undecided", "outside"]);

const rounded = (value: number): number => Math.round(value * 10) / 10;

const mark = (cell: ToldCell, x: (percent: number) => number, y: number, validation: Validation): Markup => {
  const { metric, verdict } = cell;
  const distance = distanceOf(verdict, validation) ?? 0;
  const at = rounded(x(distance));
  // Inside, how far a whole microsecond of 1 reaches would only distract.
  const bounds = verdict.status === "inside" ? null : drawnBounds(verdict);
  const isOutside = verdict.status === "outside";
  const label = `${metric.label} ${percentText(distance)}`;
  return markup`<g class="${verdict.status}"><title>${cell.axis.name}: ${label}, ${verdict.status}</title>
    ${bounds === null ? null : markup`<line x1="${rounded(x(bounds.low))}" x2="${rounded(x(bounds.high))}" y1="${y}" y2="${y}" opacity="0.45" />`}
    ${
      metric.group === "latency"
        ? markup`<circle cx="${at}" cy="${y}" r="${isOutside ? 3.2 : 2}" />`
        : markup`<path d="M${at} ${rounded(y - 3)} l3 3 l-3 3 l-3 -3 z" />`
    }
    </g>
    `;
};

/** How many figures that lie outside are named beside their marks. */
const NAMED = 2;

/** The names of the figures that lie outside on one side, where there is room for them: towards the middle. */
const outsideLabel = (
  cells: readonly ToldCell[],
  side: -1 | 1,
  {
    top,
    x,
    validation,
  }: { readonly top: number; readonly x: (percent: number) => number; readonly validation: Validation },
): Markup | null => {
  const told = cells
    .filter(({ verdict }) => verdict.status === "outside")
    .map((cell) => ({ label: cell.metric.label, distance: distanceOf(cell.verdict, validation) ?? 0 }))
    .filter(({ distance }) => Math.sign(distance) === side)
    .toSorted((a, b) => Math.abs(b.distance) - Math.abs(a.distance));
  const nearest = told.at(-1);
  if (nearest === undefined) return null;
  const names = told.slice(0, NAMED).map(({ label, distance }) => `${label} ${percentText(distance)}`);
  const more = told.length > NAMED ? [`${told.length - NAMED} more`] : [];
  const at = rounded(x(nearest.distance)) - side * 7;
  return markup`<text class="outside" x="${at}" y="${top + 15}" text-anchor="${side > 0 ? "end" : "start"}">${[...names, ...more].join(", ")}</text>
    `;
};

/** What is drawn on the line of an axis: outside last, so that it lies on top, and each a little below the other. */
const marksOf = (
  axis: AxisValidation,
  top: number,
  panel: Panel,
  x: (percent: number) => number,
  validation: Validation,
): readonly (Markup | null)[] => {
  const own = panel.cells.filter((cell) => cell.axis === axis && DRAWN.has(cell.verdict.status));
  const step = (ROW - 6) / Math.max(1, own.length);
  const marks = own
    .map((cell, index) => ({ cell, y: rounded(top + 3 + step * (index + 0.5)) }))
    .toSorted((a, b) => Number(a.cell.verdict.status === "outside") - Number(b.cell.verdict.status === "outside"))
    .map(({ cell, y }) => mark(cell, x, y, validation));
  const room = { top, x, validation };
  return [...marks, outsideLabel(own, -1, room), outsideLabel(own, 1, room)];
};

const panelMarkup = (panel: Panel, left: number, height: number, validation: Validation): Markup => {
  const middle = left + PANEL_WIDTH / 2;
  const x = (percent: number): number => middle + (placeOf(percent) * PANEL_WIDTH) / 2;
  return markup`<g>
    <text x="${middle}" y="40" text-anchor="middle" font-weight="600">${panel.title}</text>
    ${TICKS.map((tick) => {
      const at = rounded(x(tick));
      return markup`<line class="${tick === 0 ? "edge" : "grid"}" x1="${at}" x2="${at}" y1="${HEAD - 8}" y2="${height - FOOT + 4}" />
        <text class="soft" x="${at}" y="${height - FOOT + 20}" text-anchor="middle">${tick === 0 ? "in" : percentText(tick).replace(".0", "").replace(" %", "")}</text>
        `;
    })}
    ${validation.axes.map((axis, row) => marksOf(axis, HEAD + row * ROW, panel, x, validation))}
  </g>`;
};

const KEY = [
  ["inside", "inside"],
  ["noise", "noise"],
  ["undecided", "undecided"],
  ["outside", "outside"],
] as const satisfies readonly (readonly [CellStatus, string])[];

/** The picture as an SVG file. */
export const validationPicture = (validation: Validation): string => {
  const panels = panelsOf(validation);
  const width = NAMES_WIDTH + panels.length * (PANEL_WIDTH + PANEL_GAP);
  const height = HEAD + validation.axes.length * ROW + FOOT;
  const drawing = markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
    <title>${validationHeadline(validation)}</title>
    <style>${STYLE}</style>
    <rect class="ground" width="${width}" height="${height}" />
    ${validation.axes.map((axis, row) => {
      const top = HEAD + row * ROW;
      return markup`${row % 2 === 0 ? markup`<rect class="band" x="0" y="${top}" width="${width}" height="${ROW}" />` : null}
        <text x="8" y="${top + 15}">${axis.name}</text>
        `;
    })}
    ${panels.map((panel, index) => panelMarkup(panel, NAMES_WIDTH + index * (PANEL_WIDTH + PANEL_GAP), height, validation))}
    <text class="soft" x="8" y="${height - FOOT + 20}">% beyond</text>
    <text class="soft" x="8" y="${height - FOOT + 34}">the envelope</text>
    ${KEY.map(
      ([status, word], index) =>
        markup`<circle class="${status}" cx="${NAMES_WIDTH + 20 + index * 96}" cy="${height - 14}" r="3.2" /><text class="soft" x="${NAMES_WIDTH + 30 + index * 96}" y="${height - 10}">${word}</text>`,
    )}
  </svg>`;
  return `${drawing.markup}\n`;
};
