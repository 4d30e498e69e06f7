/** Scheduling attributes as text, `batch,nice=5,slice=3000`, as options/values/sched-language.ts reads it. */
import type { SchedAttributes } from "./sched-attributes.js";

const policyText = (attributes: SchedAttributes): readonly string[] => {
  if (attributes.policy === undefined) return [];
  if ("priority" in attributes) return [`${attributes.policy}:${attributes.priority}`];
  if ("runtimeUsec" in attributes) {
    const { policy, runtimeUsec, deadlineUsec, periodUsec } = attributes;
    return [`${policy}:${runtimeUsec}/${deadlineUsec}/${periodUsec}`];
  }
  return [attributes.policy];
};

/** The text that reads back as these attributes, policy first: `batch,nice=5,slice=3000`. */
export const formatSchedAttributes = (attributes: SchedAttributes): string =>
  [
    ...policyText(attributes),
    ...("nice" in attributes && attributes.nice !== undefined ? [`nice=${attributes.nice}`] : []),
    ...("sliceUsec" in attributes && attributes.sliceUsec !== undefined ? [`slice=${attributes.sliceUsec}`] : []),
    ...("uclamp" in attributes && attributes.uclamp !== undefined
      ? [`uclamp=${attributes.uclamp.min}-${attributes.uclamp.max}`]
      : []),
  ].join(",");
