/** What a schema found wrong, as a sentence: the field, its value in quotes, what is allowed. */
import type { z } from "zod";

const SHOWN = 60;

/** `wakeup.buckets[3][1]`; the empty path is the value itself. */
const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");

const isContainer = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === "object" && value !== null;

/** What lies at a path; undefined: nothing. */
const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (isContainer(value) ? value[key] : undefined), root);

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isContainer(value)) return "an object";
  const text = typeof value === "string" ? value : String(value);
  return `"${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}"`;
};

const TYPES: Readonly<Record<string, string>> = {
  number: "a number",
  int: "a whole number",
  string: "a text",
  boolean: "true or false",
  array: "a list",
  tuple: "a pair",
  object: "an object",
  record: "an object",
  null: "null",
};

const aboutLimit = (origin: string, limit: unknown, side: "from" | "to"): string =>
  origin === "array" || origin === "string"
    ? `${side === "from" ? "at least" : "at most"} ${String(limit)} ${origin === "array" ? "entries" : "characters"}`
    : `a number ${side === "from" ? "from" : "up to"} ${String(limit)}`;

const allowedBy = (issue: z.core.$ZodIssue): string => {
  switch (issue.code) {
    case "invalid_type":
      return TYPES[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.map((value) => JSON.stringify(value)).join(", ");
    case "too_small":
      return issue.inclusive === false
        ? `a number above ${String(issue.minimum)}`
        : aboutLimit(issue.origin, issue.minimum, "from");
    case "too_big":
      return aboutLimit(issue.origin, issue.maximum, "to");
    case "invalid_format":
      return issue.format === "datetime" ? "a time such as 2026-11-28T09:14:02.000Z" : issue.format;
    case "invalid_union":
      return "one of the known kinds";
    case "unrecognized_keys":
    case "invalid_element":
    case "invalid_key":
    case "not_multiple_of":
    case "custom":
      return issue.message;
    default:
      return issue satisfies never;
  }
};

/**
 * The first fault that a schema found: `wakeup.samples is "-3": allowed is a number from 0`.
 *
 * @param root what was checked
 */
export const schemaFault = ({ issues }: z.core.$ZodError, root: unknown): string => {
  const [issue] = issues;
  if (issue === undefined) return "it is invalid";
  const value = valueAt(root, issue.path);
  const field = issue.path.length === 0 ? "the value" : pathText(issue.path);
  if (issue.code === "custom")
    return isContainer(value) ? `${field}: ${issue.message}` : `${field} is ${shown(value)}: ${issue.message}`;
  if (value === undefined) return `${field} is missing`;
  return `${field} is ${shown(value)}: allowed is ${allowedBy(issue)}`;
};
