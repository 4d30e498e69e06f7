/** Other machines, as `--on` names them: a name, and the words that start a command there. Pure. */
import { at } from "../at.js";
import { UsageError } from "../errors.js";
import { splitWords } from "../options/values/shell-words.js";

/** A machine that is reached through a command. */
export interface Machine {
  readonly name: string;
  /** The words before a command, such as `ssh host3`; never empty. */
  readonly prefix: readonly string[];
}

/** It is the name of a file. */
const NAME = /^[\w@][\w.@-]*$/;

/** `host3` of `ssh host3`, `node7` of `srun -w node7 --exclusive`, `pod` of `kubectl exec -i pod --`. */
const nameIn = (prefix: readonly string[]): string => prefix.findLast((word) => !word.startsWith("-")) ?? "";

/**
 * Reads `[NAME=]PREFIX`; without NAME a machine is named by the prefix's last word that is no option.
 *
 * @throws UsageError
 */
export const readMachine = (argument: string): Machine => {
  const [, given, rest] = /^([^\s=]+)=(.*)$/s.exec(argument) ?? [];
  const prefix = splitWords(rest ?? argument);
  if (prefix.length === 0)
    throw new UsageError(
      `invalid value "${argument}" for --on: allowed is [NAME=]COMMAND, where COMMAND starts a command elsewhere`,
      "For example: --on 'ssh host3'",
    );
  const name = given ?? nameIn(prefix);
  if (!NAME.test(name))
    throw new UsageError(
      `invalid value "${argument}" for --on: "${name}" cannot be a machine's name, allowed are letters, digits and _.@-`,
      `Name it yourself, as in --on host3='${rest ?? argument}'.`,
    );
  return { name, prefix };
};

/**
 * Every machine that the values of `--on` name.
 *
 * @throws UsageError
 */
export const readMachines = (values: readonly string[]): readonly Machine[] => {
  const machines = values.map(readMachine);
  const names = machines.map(({ name }) => name);
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice >= 0)
    throw new UsageError(
      `two machines are called "${at(names, twice)}": names must differ`,
      `Name one of them, as in --on other='${at(values, twice)}'.`,
    );
  return machines;
};
