/** The options that every command has. `main` acts on them before the command sees its argv. */
import type { OptionTable } from "../../options/line/option-table.js";

/** Options that hold everywhere before `--`. */
export const globalOptions = [
  { id: "help", kind: "flag", short: "h", long: ["help"], group: "General", meaning: "show help and exit" },
  {
    id: "version",
    kind: "flag",
    short: "V",
    long: ["version"],
    group: "General",
    meaning: "show the version and exit",
  },
  { id: "debug", kind: "flag", long: ["debug"], group: "General", meaning: "show the stack trace of an error" },
] as const satisfies OptionTable;

/** Every way to write one of them. */
export const GLOBAL_SPELLINGS: readonly string[] = globalOptions.flatMap((option) => [
  ...option.long.map((long) => `--${long}`),
  ...("short" in option ? [`-${option.short}`] : []),
]);

/** The global options of a command line, and what is left of it for the command. */
export interface GlobalSettings {
  readonly help: boolean;
  readonly version: boolean;
  readonly debug: boolean;
  readonly rest: readonly string[];
}

/** Takes the global options out of argv: whole words, up to the first `--`. */
export const takeGlobalOptions = (argv: readonly string[]): GlobalSettings => {
  const dashes = argv.indexOf("--");
  const end = dashes < 0 ? argv.length : dashes;
  const found = new Set<string>();
  const rest = argv.filter((word, index) => {
    const spec = globalOptions.find(
      (option) =>
        option.long.some((long) => word === `--${long}`) || ("short" in option && word === `-${option.short}`),
    );
    if (index >= end || spec === undefined) return true;
    found.add(spec.id);
    return false;
  });
  return { help: found.has("help"), version: found.has("version"), debug: found.has("debug"), rest };
};
