/** The doctor's whole knowledge: all checks in one table, and the function that applies them. */
import { CPU_CHECKS } from "./cpu-checks.js";
import { ENGINE_CHECKS } from "./engine-checks.js";
import type { DoctorFacts } from "./facts.js";
import type { Check, Checks, Finding, Status } from "./finding.js";
import { KERNEL_CHECKS } from "./kernel-checks.js";
import { NOISE_CHECKS } from "./noise-checks.js";

/** Every check by its stable identifier. */
export const CHECKS: Checks = { ...NOISE_CHECKS, ...CPU_CHECKS, ...KERNEL_CHECKS, ...ENGINE_CHECKS };

const SEVERITY = { bad: 0, note: 1, ok: 2 } as const satisfies Record<Status, number>;

/** Pure: what the checks say about a machine, the worst first; checks that do not apply to it are left out. */
export const diagnose = (facts: DoctorFacts): readonly Finding[] =>
  Object.entries<Check>(CHECKS)
    .flatMap(([id, { title, judge }]) => {
      const verdict = judge(facts);
      return verdict === null ? [] : [{ id, title, ...verdict }];
    })
    .toSorted((a, b) => SEVERITY[a.status] - SEVERITY[b.status]);

/** Whether a machine with these findings is fit for measuring: nothing on it is bad. */
export const isFit = (findings: readonly Finding[]): boolean => findings.every(({ status }) => status !== "bad");
