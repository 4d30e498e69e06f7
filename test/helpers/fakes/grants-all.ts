/** A scheduler that grants whatever threads ask for: for tests of plans in which that is of no matter. */
import type { SchedRules } from "../../../src/options/run/sched-needs.js";

export const GRANTS_ALL: SchedRules = { schedRefusalOf: () => null, isRealTimeUnlimited: () => false };
