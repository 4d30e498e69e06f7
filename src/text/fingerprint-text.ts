/** The fingerprint of a run as a compact table by role, for `--details` and the command `fingerprint`. */
import { FINGERPRINT_FIGURES, type FigureDefinition } from "../model/metrics/fingerprint-figures.js";
import type { Role, RoleFingerprint } from "../model/result/fingerprint.js";
import type { RunResult } from "../model/result/run-result.js";

const ROLES = ["message", "worker"] as const satisfies readonly Role[];
const LABEL_WIDTH = 40;
const VALUE_WIDTH = 12;
/** Fewer calls per request than these are those of the threads' beginning and end. */
const LEAST_CALLS = 0.005;

const numberText = (value: number): string =>
  value >= 1000 ? value.toFixed(0) : value >= 100 ? value.toFixed(1) : value.toFixed(3);

const valueText = (figure: FigureDefinition, value: number): string =>
  figure.unit === "share" ? `${(100 * value).toFixed(1)} %` : figure.unit === "count" ? `${value}` : numberText(value);

/** Figures that differ in nothing but the role, in the order of the table. */
const rowsOf = (): ReadonlyMap<string, Partial<Record<Role, FigureDefinition>>> => {
  const rows = new Map<string, Partial<Record<Role, FigureDefinition>>>();
  const all: readonly FigureDefinition[] = FINGERPRINT_FIGURES;
  for (const figure of all) {
    const label = figure.label.slice(figure.role.length + 1);
    const unit = figure.unit === "share" || figure.unit === "count" ? "" : `, ${figure.unit}`;
    const key = `${label}${unit}`;
    rows.set(key, { ...rows.get(key), [figure.role]: figure });
  }
  return rows;
};

const columns = (label: string, values: readonly string[]): string =>
  `\t${label.padEnd(LABEL_WIDTH)}${values.map((value) => value.padStart(VALUE_WIDTH)).join("")}`.trimEnd();

const callsLine = (role: Role, figures: RoleFingerprint | null): readonly string[] => {
  const calls = Object.entries(figures?.systemCallsPerRequest ?? {}).filter(([, count]) => count >= LEAST_CALLS);
  return calls.length === 0
    ? []
    : [
        `\tsystem calls per request, ${role}: ${calls.map(([name, count]) => `${name} ${numberText(count)}`).join(", ")}`,
      ];
};

/** What the kernel saw of a run, without line ends; nothing where nobody watched. Rows that are unknown are left out. */
export const fingerprintLines = (result: RunResult): readonly string[] => {
  const { fingerprint } = result;
  if (fingerprint === null) return [];
  const lines: string[] = [];
  for (const [label, figures] of rowsOf()) {
    const texts = ROLES.map((role) => {
      const figure = figures[role];
      const value = figure?.read(result) ?? null;
      return figure === undefined ? "" : value === null ? "-" : valueText(figure, value);
    });
    if (texts.some((text) => text !== "" && text !== "-")) lines.push(columns(label, texts));
  }
  return [
    `what the kernel saw of the threads${"".padEnd(LABEL_WIDTH - 26)}${ROLES.map((role) => role.padStart(VALUE_WIDTH)).join("")}`,
    ...lines,
    ...ROLES.flatMap((role) => callsLine(role, fingerprint[role])),
  ];
};
