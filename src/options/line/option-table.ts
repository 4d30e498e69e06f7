/**
 * What an option is. A command's options are one table of these, written `as const satisfies OptionTable`; the parser,
 * the types of its result, the help, the man page, docs/options.md and the shell completions all derive from it.
 *
 * Upstream counterpart: option_string and long_options, which know neither ranges nor defaults nor meanings.
 */
import type { CgroupSettings } from "../../model/plan/cgroup-plan.js";
import type { GroupRequest, SchedAttributes } from "../../model/plan/sched-attributes.js";

interface SpecBase {
  /** Name of the value in the parsed result. */
  readonly id: string;
  /** One letter, without the dash. */
  readonly short?: string;
  /** Every long spelling, without dashes; the first is the one that help shows. */
  readonly long: readonly [string, ...string[]];
  /** Heading under which help lists the option. */
  readonly group: string;
  /** One line, lower case, no full stop. */
  readonly meaning: string;
  /** Placeholder of the value in help; by default one that fits the kind. */
  readonly valueName?: string;
  /** What help shows as the default where that is computed, such as "CPUs / message threads". */
  readonly defaultText?: string;
  /** Works, but is left out of help, completions and docs. */
  readonly hidden?: true;
}

/** Present or not; the value is a boolean. */
interface FlagSpec extends SpecBase {
  readonly kind: "flag";
}

/**
 * A number in the unit of its kind. `bytes` and `kib` may carry k or m (`-p 64k` is 65536 bytes, `-F 1m` is 1024 KiB).
 * Whole numbers, unless `decimals` is set.
 */
export interface NumberSpec extends SpecBase {
  readonly kind: "count" | "seconds" | "usec" | "kib" | "percent" | "bytes";
  readonly min: number;
  /** By default the largest exact integer; for percent always 100. */
  readonly max?: number;
  readonly decimals?: true;
  readonly default?: number;
  readonly repeated?: true;
}

/** One of a fixed set of words. */
interface ChoiceSpec extends SpecBase {
  readonly kind: "choice";
  readonly choices: readonly [string, ...string[]];
  readonly default?: string;
  readonly repeated?: true;
}

/** Free text, a file (`-` is the standard stream) or a directory; never empty. */
interface TextSpec extends SpecBase {
  readonly kind: "text" | "file" | "directory";
  /** Words that completions offer; what is allowed is for the command to say. */
  readonly offered?: readonly string[];
  readonly default?: string;
  readonly repeated?: true;
}

/** A CPU list such as `0-3,8`; the value is ascending CPU ids, or "auto" where that is allowed. */
interface CpusSpec extends SpecBase {
  readonly kind: "cpus";
  readonly auto?: true;
}

/** Scheduling attributes such as `batch,nice=5`, or a group of workers with theirs: `short=4:slice=500`. */
interface SchedSpec extends SpecBase {
  readonly kind: "sched" | "group";
  readonly repeated?: true;
}

/** Settings of a control group such as `weight=100,max=50000/100000`. */
interface CgroupSpec extends SpecBase {
  readonly kind: "cgroup";
}

/** One option of a command. */
export type OptionSpec = FlagSpec | NumberSpec | ChoiceSpec | TextSpec | CpusSpec | SchedSpec | CgroupSpec;

/** The options of a command, in the order in which help lists them. */
export type OptionTable = readonly OptionSpec[];

type SingleValue<S extends OptionSpec> = S extends NumberSpec
  ? number
  : S extends ChoiceSpec
    ? S["choices"][number]
    : S extends CpusSpec
      ? readonly number[] | (S extends { readonly auto: true } ? "auto" : never)
      : S extends { readonly kind: "sched" }
        ? SchedAttributes
        : S extends { readonly kind: "group" }
          ? GroupRequest
          : S extends CgroupSpec
            ? CgroupSettings
            : string;

/** Type of the value of an option: a list if repeated, `| null` if it has neither default nor repetition. */
type OptionValue<S extends OptionSpec> = S extends FlagSpec
  ? boolean
  : S extends { readonly repeated: true }
    ? readonly SingleValue<S>[]
    : S extends { readonly default: string | number }
      ? SingleValue<S>
      : SingleValue<S> | null;

/** Type of the parsed options of a table: one property per option, named by its id. */
export type OptionValues<T extends OptionTable> = {
  readonly [S in T[number] as S["id"]]: OptionValue<S>;
};

const VALUE_NAMES = {
  text: "TEXT",
  file: "FILE",
  directory: "DIR",
  count: "N",
  seconds: "SEC",
  usec: "USEC",
  kib: "KIB",
  percent: "PERCENT",
  bytes: "BYTES",
  cpus: "CPUS",
  cgroup: "SETTINGS",
  sched: "ATTRIBUTES",
  group: "[NAME=]COUNT:ATTRIBUTES",
} as const satisfies Record<Exclude<OptionSpec["kind"], "flag" | "choice">, string>;

/** Placeholder of an option's value: its own, or one that fits the kind; undefined for a flag. */
export const valueName = (spec: OptionSpec): string | undefined => {
  if (spec.kind === "flag") return undefined;
  if (spec.valueName !== undefined) return spec.valueName;
  return spec.kind === "choice" ? spec.choices.join("|") : VALUE_NAMES[spec.kind];
};

/** Default of an option as help shows it; undefined where there is none worth showing. */
export const defaultText = (spec: OptionSpec): string | undefined => {
  if (spec.defaultText !== undefined) return spec.defaultText;
  return "default" in spec && spec.default !== undefined ? String(spec.default) : undefined;
};

/** Faults of a table that types cannot see: names used twice, malformed names, a default out of range. For tests. */
export const tableFaults = (table: OptionTable): readonly string[] => {
  const faults: string[] = [];
  const seen = new Set<string>();
  const claim = (name: string) => {
    if (seen.has(name)) faults.push(`${name} is used twice`);
    seen.add(name);
  };
  for (const spec of table) {
    claim(`id ${spec.id}`);
    if (spec.short !== undefined) {
      claim(`-${spec.short}`);
      if (!/^[A-Za-z]$/.test(spec.short)) faults.push(`-${spec.short} is not one letter`);
    }
    for (const long of spec.long) {
      claim(`--${long}`);
      if (!/^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/.test(long)) faults.push(`--${long} is malformed`);
    }
    if (/[.\n]$/.test(spec.meaning) || spec.meaning === "") faults.push(`${spec.id}: meaning is not one line`);
    if (!("default" in spec) || spec.default === undefined) continue;
    const known: readonly (string | number)[] = spec.kind === "choice" ? spec.choices : [spec.default];
    if (!known.includes(spec.default)) faults.push(`${spec.id}: default is not among the choices`);
    if ("min" in spec && (spec.default < spec.min || spec.default > (spec.max ?? Infinity)))
      faults.push(`${spec.id}: default is out of range`);
  }
  return faults;
};
