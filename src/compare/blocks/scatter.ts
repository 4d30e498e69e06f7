/** How the scatter of a metric divides into machine, boot and run. Pure. */
import { type NestedValues, varianceComponents } from "../../stats/blocks/variance-components.js";
import { groupedBy } from "./grouped.js";
import type { RunPlace } from "./place.js";

/** Standard deviations, relative (of logarithms): 0.02 is 2 %; null: not known from these runs. */
export interface Scatter {
  readonly machine: number | null;
  readonly boot: number | null;
  readonly run: number | null;
}

/** A run's value with its place. */
export interface PlacedValue {
  readonly value: number;
  readonly place: RunPlace;
}

const nested = (values: readonly PlacedValue[]): NestedValues =>
  [...groupedBy(values, ({ place }) => place.machine ?? "").values()].map((onMachine) =>
    [...groupedBy(onMachine, ({ place }) => place.boot ?? "").values()].map((inBoot) =>
      inBoot.map(({ value }) => Math.log(value)),
    ),
  );

const root = (variance: number | null): number | null => (variance === null ? null : Math.sqrt(variance));

/** The scatter within subjects; null where a value is 0, or there is no value at all. */
export const scatterOf = (subjects: readonly (readonly PlacedValue[])[]): Scatter | null => {
  const there = subjects.filter((values) => values.length > 0);
  if (there.length === 0 || there.some((values) => values.some(({ value }) => value <= 0))) return null;
  const { machine, boot, run } = varianceComponents(there.map(nested));
  return { machine: root(machine), boot: root(boot), run: root(run) };
};
