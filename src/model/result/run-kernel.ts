/** The kernel of a run in words. */
import type { RunResult } from "./run-result.js";

/** `6.18.1`, `6.18.1 with lavd`; null where a run does not say. */
export const kernelOf = ({ host, source }: RunResult): string | null => {
  const machine = host ?? (source.kind === "parsed" ? source.machine : undefined);
  if (machine === undefined) return null;
  const schedExt = machine.schedExt ?? "disabled";
  return schedExt === "disabled" || schedExt === "" ? machine.kernel : `${machine.kernel} with ${schedExt}`;
};
