/** Which of the references span the envelope: one build by each compiler, as the published rule has it. Pure. */
import { UsageError } from "../errors.js";
import { nearestName } from "../options/values/suggest.js";

const COMPILERS = [/gcc/i, /clang/i] as const;

/**
 * The references that span the envelope: those asked for, else the first whose name says gcc and the first whose name says
 * clang, else all.
 *
 * @param asked names from the command line; null: none
 * @throws UsageError for a name that no reference has
 */
export const spanningReferences = (names: readonly string[], asked: readonly string[] | null): readonly string[] => {
  for (const name of asked ?? []) {
    if (names.includes(name)) continue;
    const near = nearestName(name, names);
    throw new UsageError(
      `no reference "${name}" for --envelope: allowed are ${names.join(", ")}`,
      near === undefined ? undefined : `Did you mean ${near}?`,
    );
  }
  if (asked !== null) return names.filter((name) => asked.includes(name));
  const firsts = COMPILERS.flatMap((compiler) => names.find((name) => compiler.test(name)) ?? []);
  return firsts.length === COMPILERS.length ? firsts : names;
};
