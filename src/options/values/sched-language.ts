/**
 * Scheduling attributes, `batch,nice=5,slice=3000`: from text. A plus means the same as a comma, for places
 * where a comma has a meaning of its own (`--vary worker-sched=other,batch+nice=5`). Pure; no upstream counterpart.
 */
import { at } from "../../at.js";
import type { FairAttributes, SchedAttributes } from "../../model/plan/sched-attributes.js";
import {
  policyNamed,
  SCHED_ATTRIBUTES,
  SCHED_POLICIES,
  type SchedAttribute,
  type SchedAttributeName,
  type SchedPolicy,
  writtenForm,
  writtenStart,
} from "../../model/plan/sched-table.js";

/** Outcome of reading: the attributes, or what would have been allowed. */
export type SchedReading =
  | { readonly value: SchedAttributes; readonly problem: null }
  | { readonly value: null; readonly problem: string };

/** One part of the text, read. */
interface Named<E> {
  readonly entry: E;
  readonly numbers: readonly number[];
}

/** What is wrong with a part, in words that follow "allowed is". */
interface Problem {
  readonly problem: string;
}

const ENTRIES: readonly (SchedPolicy | SchedAttribute)[] = [...SCHED_POLICIES, ...SCHED_ATTRIBUTES];

const isPolicy = (entry: SchedPolicy | SchedAttribute): entry is SchedPolicy => "number" in entry;

const rangesOf = ({ numbers }: SchedPolicy | SchedAttribute): string =>
  numbers.map(({ name, min, max }) => `${name} from ${min} to ${max}`).join(", ");

const splitNumbers = (text: string, separator: string): readonly string[] =>
  separator === "" ? [text] : text.split(separator);

/** `fifo:10`, `uclamp=0-512`: the entry and its numbers. */
const readPart = (part: string): Named<SchedPolicy | SchedAttribute> | Problem => {
  const [, name = "", mark = "", rest = ""] = /^([a-z]*)([:=]?)(.*)$/su.exec(part) ?? [];
  const entry = ENTRIES.find((one) => one.name === name);
  if (entry === undefined) return { problem: `${ENTRIES.map(writtenForm).join(", ")}, but not "${part}"` };
  const texts = mark === "" ? [] : splitNumbers(rest, entry.separator);
  const numbers = texts.map((text) => (/^-?\d+$/u.test(text) ? Number(text) : Number.NaN));
  const fits =
    `${name}${mark}` === writtenStart(entry) &&
    numbers.length === entry.numbers.length &&
    entry.numbers.every(({ min, max }, i) => at(numbers, i) >= min && at(numbers, i) <= max);
  const ranges = rangesOf(entry);
  return fits ? { entry, numbers } : { problem: `${writtenForm(entry)}${ranges === "" ? "" : `, ${ranges}`}` };
};

const rising = (numbers: readonly number[]): boolean =>
  numbers.every((number, i) => i === 0 || number >= at(numbers, i - 1));

/** What each part may be is read; this is what they may be to each other. */
const contradiction = (policy: Named<SchedPolicy> | undefined, named: readonly Named<SchedAttribute>[]) => {
  for (const { entry, numbers } of policy === undefined ? named : [policy, ...named])
    if (!rising(numbers)) return `${writtenForm(entry)} with ${entry.numbers.map(({ name }) => name).join(" <= ")}`;
  const takes: readonly SchedAttributeName[] = policy?.entry.takes ?? policyNamed("other").takes;
  const stray = named.find(({ entry }) => !takes.includes(entry.name));
  if (policy === undefined || stray === undefined) return null;
  const others = takes.length === 0 ? "nothing else" : `${takes.join(" or ")} and nothing else`;
  return `${policy.entry.name} with ${others}: ${stray.entry.name} has no effect under it`;
};

const fairAttributes = (
  policy: FairAttributes["policy"],
  numbersOf: (name: SchedAttributeName) => readonly number[] | undefined,
  uclamp: Pick<FairAttributes, "uclamp">,
): FairAttributes => {
  const [nice, slice] = [numbersOf("nice"), numbersOf("slice")];
  return {
    ...(policy === undefined ? {} : { policy }),
    ...(nice === undefined ? {} : { nice: at(nice, 0) }),
    ...(slice === undefined ? {} : { sliceUsec: at(slice, 0) }),
    ...uclamp,
  };
};

const attributesOf = (
  policy: Named<SchedPolicy> | undefined,
  named: readonly Named<SchedAttribute>[],
): SchedAttributes => {
  const numbersOf = (name: SchedAttributeName) => named.find(({ entry }) => entry.name === name)?.numbers;
  const clamp = numbersOf("uclamp");
  const uclamp = clamp === undefined ? {} : { uclamp: { min: at(clamp, 0), max: at(clamp, 1) } };
  if (policy === undefined) return fairAttributes(undefined, numbersOf, uclamp);
  const { entry, numbers } = policy;
  switch (entry.name) {
    case "idle":
      return { policy: entry.name, ...uclamp };
    case "fifo":
    case "rr":
      return { policy: entry.name, priority: at(numbers, 0), ...uclamp };
    case "deadline":
      return {
        policy: entry.name,
        runtimeUsec: at(numbers, 0),
        deadlineUsec: at(numbers, 1),
        periodUsec: at(numbers, 2),
      };
    case "other":
    case "batch":
    case "ext":
      return fairAttributes(entry.name, numbersOf, uclamp);
  }
  return entry.name satisfies never;
};

/** Reads attributes without throwing; for callers that add what they were for. */
export const readSchedAttributes = (text: string): SchedReading => {
  const policies: Named<SchedPolicy>[] = [];
  const named: Named<SchedAttribute>[] = [];
  for (const part of text.split(/[,+]/u)) {
    const reading = readPart(part);
    if ("problem" in reading) return { value: null, problem: reading.problem };
    const { entry, numbers } = reading;
    if (isPolicy(entry)) policies.push({ entry, numbers });
    else if (named.some((one) => one.entry === entry)) return { value: null, problem: `${entry.name} once` };
    else named.push({ entry, numbers });
  }
  if (policies.length > 1)
    return { value: null, problem: `one policy, not ${policies.map(({ entry }) => entry.name).join(" and ")}` };
  const [policy] = policies;
  const problem = contradiction(policy, named);
  return problem === null ? { value: attributesOf(policy, named), problem } : { value: null, problem };
};
