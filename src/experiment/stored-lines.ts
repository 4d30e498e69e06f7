/**
 * The lines of an experiment's file, one by one and together: each must be a line of our format, and every run one of this
 * experiment's, once. A file put together by hand, or written by two commands at once, is no experiment. Pure.
 */
import type { z } from "zod";
import { ParseError } from "../errors.js";
import { schemaFault } from "../model/schema-fault.js";
import {
  EXPERIMENT_VERSION,
  type ExperimentHeader,
  experimentHeader,
  type RunRecord,
  runRecord,
  settles,
  withOrigin,
} from "./record.js";

const jsonOf = (line: string, source: string, number: number): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    throw new ParseError("not a line of JSON", source, number);
  }
};

/** Whether a line is whole. */
export const isJson = (line: string): boolean => {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
};

const fieldOf = (value: unknown, name: "format" | "version"): unknown =>
  typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

const decode = <S extends z.ZodType>(schema: S, value: unknown, source: string, number: number): z.infer<S> => {
  const version = fieldOf(value, "version");
  if (typeof version === "number" && version !== EXPERIMENT_VERSION)
    throw new ParseError(
      `an experiment of version ${version}: this program reads version ${EXPERIMENT_VERSION}`,
      source,
      number,
    );
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ParseError(`not a line of an experiment: ${schemaFault(parsed.error, value)}`, source, number);
};

/** The first line of a file; throws ParseError. */
export const headerIn = (line: string, source: string): ExperimentHeader =>
  decode(experimentHeader, jsonOf(line, source, 1), source, 1);

const checkPlace = ({ subjects, cells }: ExperimentHeader, { slot }: RunRecord, source: string, line: number): void => {
  for (const [what, name, known] of [
    ["subject", slot.subject, subjects],
    ["cell", slot.cell, cells],
  ] as const)
    if (!known.some((one) => one.name === name))
      throw new ParseError(`a run of ${what} "${name}", which the experiment does not have`, source, line);
};

/**
 * Reads the runs on the lines after a header, one after the other.
 *
 * @returns takes a line and its number; throws ParseError that names the line: for one that is not of our format, a second
 *   experiment, a run of another experiment, and a run that is there already
 */
export const recordReader = (header: ExperimentHeader, source: string): ((text: string, line: number) => RunRecord) => {
  const settled = new Map<string, number>();
  return (text, line) => {
    const value = jsonOf(text, source, line);
    if (fieldOf(value, "format") === header.format)
      throw new ParseError("a second experiment begins here: each needs its own file", source, line);
    const record = decode(runRecord, value, source, line);
    checkPlace(header, record, source, line);
    const { subject, cell, round } = record.slot;
    const key = JSON.stringify([subject, cell, round]);
    const first = settled.get(key);
    if (first !== undefined)
      throw new ParseError(
        `subject "${subject}" in round ${round} is already there, in line ${first}: did two commands write to this file?`,
        source,
        line,
      );
    if (settles(record)) settled.set(key, line);
    return withOrigin(record);
  };
};
