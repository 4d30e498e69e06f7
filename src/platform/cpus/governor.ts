/** Which frequency governor drives the CPUs. */
import { type Files, readValue } from "../files.js";

/** The governors of the given CPUs, each named once, `performance, powersave`; null where no frequency is scaled. */
export const readGovernors = (files: Files, cpuIds: readonly number[]): string | null => {
  const names = new Set<string>();
  for (const id of cpuIds) {
    const name = readValue(files, `/sys/devices/system/cpu/cpu${id}/cpufreq/scaling_governor`);
    if (name !== null) names.add(name);
  }
  return names.size === 0 ? null : [...names].toSorted().join(", ");
};

/** At most `count` of the values, evenly spread, the first and the last among them. */
export const spreadOver = <T>(values: readonly T[], count: number): readonly T[] => {
  if (values.length <= count) return values;
  const step = (values.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => Math.round(index * step)).flatMap((at) =>
    values.slice(at, at + 1),
  );
};
