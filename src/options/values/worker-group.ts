/**
 * A group of workers with attributes of its own, `short=4:slice=500` or `4:slice=500`: from text and to text. Pure; no
 * upstream counterpart.
 */
import type { GroupRequest } from "../../model/plan/sched-attributes.js";
import { formatSchedAttributes } from "../../model/plan/sched-text.js";
import { readSchedAttributes } from "./sched-language.js";

/** Outcome of reading: the group, or what would have been allowed. */
export type GroupReading =
  | { readonly value: GroupRequest; readonly problem: null }
  | { readonly value: null; readonly problem: string };

const FORM = /^(?:(?<name>[^=:]*)=)?(?<workers>\d+):(?<attributes>.*)$/su;
const NAME = /^[a-z][a-z0-9-]{0,15}$/u;

/** The name of the workers that are in no group. */
export const REST = "rest";

const refuse = (problem: string): GroupReading => ({ value: null, problem });

/** Reads a group without throwing; for callers that add what it was for. */
export const readWorkerGroup = (text: string): GroupReading => {
  const { name, workers, attributes } = FORM.exec(text)?.groups ?? {};
  if (workers === undefined || attributes === undefined)
    return refuse("[NAME=]COUNT:ATTRIBUTES, such as 4:slice=500 or short=4:slice=500");
  if (name !== undefined && !NAME.test(name))
    return refuse(`a name of up to 16 small letters, digits and dashes, not "${name}"`);
  if (name === REST) return refuse(`any name but ${REST}, which are the workers in no group`);
  if (Number(workers) < 1 || !Number.isSafeInteger(Number(workers))) return refuse("1 worker or more in a group");
  const { value, problem } = readSchedAttributes(attributes);
  return value === null
    ? refuse(problem)
    : { value: { ...(name === undefined ? {} : { name }), workers: Number(workers), sched: value }, problem: null };
};

/** The text that reads back as this group. */
export const formatWorkerGroup = ({ name, workers, sched }: GroupRequest): string =>
  `${name === undefined ? "" : `${name}=`}${workers}:${formatSchedAttributes(sched)}`;
