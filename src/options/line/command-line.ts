/**
 * The parser behind every command: argv and an option table in, typed values out. Short options may be joined to their
 * value (`-m2`) and clustered (`-CL`); long ones take `--name value` and `--name=value`; options and positional
 * arguments may come in any order, `--` ends the options. Of an option given twice the last counts, unless it is
 * `repeated`.
 *
 * Upstream counterpart: parse_options with getopt_long, which reads numbers with atoi and takes any word as a value.
 */
import { at } from "../../at.js";
import { UsageError } from "../../errors.js";
import { type OptionSpec, type OptionTable, type OptionValues, valueName } from "./option-table.js";
import { type AnyValue, readValue, takesNumber } from "./option-value.js";
import { unitHint } from "./unit-hint.js";
import { UnknownNameError } from "../values/unknown-name.js";

/** What a command takes besides options. By default: nothing. */
export interface Positionals {
  /** Placeholder for help and messages, such as `FILE`. */
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Keep what follows `--` apart, as `rest`; the text is its placeholder, such as `RUN-OPTIONS`. */
  readonly rest?: string;
  /** Options of its siblings that this command does not take, such as `--on`, and why. */
  readonly refused?: Readonly<Record<string, string>>;
}

/** A parsed command line. */
export interface ParsedCommandLine<T extends OptionTable> {
  /** One property per option of the table, named by its id. */
  readonly options: OptionValues<T>;
  readonly positionals: readonly string[];
  /** What followed `--`; null where there was no `--` or the command does not keep it apart. */
  readonly rest: readonly string[] | null;
  /** Ids of the options that the command line names. */
  readonly given: ReadonlySet<string>;
}

/** One option as it was found: the spelling used, and the text of its value; null for a flag. */
interface Occurrence {
  readonly spec: OptionSpec;
  readonly spelling: string;
  readonly text: string | null;
}

type Untyped = Omit<ParsedCommandLine<OptionTable>, "options"> & {
  readonly options: Readonly<Record<string, AnyValue | readonly AnyValue[] | null>>;
};

/** No words but options. */
export const NO_WORDS: Positionals = { name: "argument", min: 0, max: 0 };

const unknownOption = (
  name: string,
  argument: string,
  table: OptionTable,
  { rest, refused = {} }: Positionals,
): UsageError => {
  const why = refused[name];
  if (why !== undefined) return new UsageError(`${name} does not go with this command`, why);
  const visible = table.filter((spec) => !spec.hidden);
  const known = name.startsWith("--")
    ? visible.flatMap((spec) => spec.long.map((long) => `--${long}`))
    : visible.flatMap((spec) => (spec.short === undefined ? [] : [`-${spec.short}`]));
  const within = argument === name || argument.startsWith("--") ? "" : ` in "${argument}"`;
  const otherwise = rest === undefined ? undefined : `${rest} come after --, as in: -- ${argument}`;
  return new UnknownNameError(`unknown option "${name}"${within}`, name, known, otherwise);
};

/** `-threads 4`, a long name behind a single dash: the error that says so; null if the argument is none. */
const missingDash = (argument: string, table: OptionTable): UsageError | null => {
  const name = argument.slice(1).replace(/=.*$/s, "");
  const isLong = name.length > 1 && table.some((spec) => spec.long.includes(name));
  return isLong ? new UsageError(`unknown option "-${name}"`, `Did you mean --${name}?`) : null;
};

const isOptionLike = (argument: string) => argument.startsWith("-") && argument !== "-";

/** Splits argv into options and the rest, looking values up only as far as the kind of the option requires. */
const tokenize = (argv: readonly string[], table: OptionTable, allowed: Positionals) => {
  const occurrences: Occurrence[] = [];
  const words: string[] = [];
  let afterDashes: readonly string[] | null = null;
  let index = 0;

  const separateValue = (spec: OptionSpec, spelling: string): string => {
    const next = argv[index + 1];
    const isMissing = next === undefined || (isOptionLike(next) && !(takesNumber(spec) && /^-[.\d]/.test(next)));
    if (!isMissing) {
      index++;
      return next;
    }
    const found = next === undefined ? "" : `, but "${next}" follows, which is an option`;
    const remedy =
      next === undefined || takesNumber(spec)
        ? undefined
        : `A value that starts with a dash is written --${spec.long[0]}=${next}.`;
    throw new UsageError(`option ${spelling} needs a value, ${valueName(spec)}${found}`, remedy);
  };

  const long = (argument: string) => {
    const equals = argument.indexOf("=");
    const spelling = equals < 0 ? argument : argument.slice(0, equals);
    const spec = table.find((candidate) => candidate.long.includes(spelling.slice(2)));
    if (spec === undefined) throw unknownOption(spelling, argument, table, allowed);
    if (spec.kind === "flag" && equals >= 0)
      throw new UsageError(`option ${spelling} takes no value, but "${argument.slice(equals + 1)}" was given`);
    if (spec.kind === "flag") occurrences.push({ spec, spelling, text: null });
    else {
      const text = equals < 0 ? separateValue(spec, spelling) : argument.slice(equals + 1);
      occurrences.push({ spec, spelling, text });
    }
  };

  const cluster = (argument: string) => {
    for (let place = 1; place < argument.length; place++) {
      const spelling = `-${argument.charAt(place)}`;
      const spec = table.find((candidate) => candidate.short === argument.charAt(place));
      if (spec === undefined) throw missingDash(argument, table) ?? unknownOption(spelling, argument, table, allowed);
      if (spec.kind === "flag") occurrences.push({ spec, spelling, text: null });
      else {
        const value = argument.slice(place + 1);
        const text = value === "" ? separateValue(spec, spelling) : value;
        const mistake = value !== "" && readValue(spec, value).value === null ? missingDash(argument, table) : null;
        if (mistake !== null) throw mistake;
        occurrences.push({ spec, spelling, text });
        return;
      }
    }
  };

  for (; index < argv.length; index++) {
    const argument = at(argv, index);
    if (argument === "--") {
      afterDashes = argv.slice(index + 1);
      break;
    }
    if (argument.startsWith("--")) long(argument);
    else if (isOptionLike(argument)) cluster(argument);
    else words.push(argument);
  }
  return { occurrences, words, afterDashes };
};

const SCHED_HINT = "schbench-ts help sched explains each of them.";

const valueOf = ({ spec, spelling, text }: Occurrence): AnyValue => {
  if (text === null) return true;
  const { value, allowed } = readValue(spec, text);
  if (value === null)
    throw new UsageError(
      `invalid value "${text}" for ${spelling}: allowed is ${allowed}`,
      spec.kind === "sched" || spec.kind === "group" ? SCHED_HINT : unitHint(spec, text, spelling),
    );
  return value;
};

const resolve = (spec: OptionSpec, found: readonly AnyValue[]): AnyValue | readonly AnyValue[] | null => {
  if (spec.kind === "flag") return found.length > 0;
  if ("repeated" in spec && spec.repeated)
    return found.length > 0 || !("default" in spec) || spec.default === undefined ? found : [spec.default];
  return found.at(-1) ?? ("default" in spec ? spec.default : null) ?? null;
};

const checkWords = (words: readonly string[], { name, min, max }: Positionals): void => {
  const stray = words[max];
  if (stray !== undefined && max === 0) throw new UsageError(`unexpected argument "${stray}": none is allowed here`);
  if (stray !== undefined) throw new UsageError(`unexpected argument "${stray}": at most ${max} ${name} allowed`);
  if (words.length < min)
    throw new UsageError(
      min === 1 ? `a ${name} is missing` : `${min} ${name} arguments are needed, not ${words.length}`,
    );
};

/**
 * Parses a command's argv (without the command's name) by its option table.
 *
 * @throws UsageError for an unknown option (UnknownNameError), a missing or invalid value, a stray or missing
 *   argument; the first one found
 */
export function parseCommandLine<const T extends OptionTable>(
  argv: readonly string[],
  table: T,
  allowed?: Positionals,
): ParsedCommandLine<T>;
// The second signature is what the compiler can follow through the loop; the first says what the loop amounts to. A test
// of the inferred types and a property over every way to write every option hold the two together.
export function parseCommandLine(
  argv: readonly string[],
  table: OptionTable,
  allowed: Positionals = NO_WORDS,
): Untyped {
  const { occurrences, words, afterDashes } = tokenize(argv, table, allowed);
  const keepsRest = allowed.rest !== undefined;
  const found = new Map<string, AnyValue[]>();
  for (const occurrence of occurrences) {
    const values = found.get(occurrence.spec.id) ?? [];
    values.push(valueOf(occurrence));
    found.set(occurrence.spec.id, values);
  }
  const positionals = keepsRest ? words : [...words, ...(afterDashes ?? [])];
  checkWords(positionals, allowed);
  const options: Record<string, AnyValue | readonly AnyValue[] | null> = {};
  for (const spec of table) options[spec.id] = resolve(spec, found.get(spec.id) ?? []);
  return { options, positionals, rest: keepsRest ? afterDashes : null, given: new Set(found.keys()) };
}
