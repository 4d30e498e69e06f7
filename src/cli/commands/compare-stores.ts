/** Judges the files that machines' runs are kept in as `compare` does, with what a command line says about judging. */
import type { ExitCode } from "../../errors.js";
import type { OptionTable } from "../../options/line/option-table.js";
import { optionWords } from "../../options/line/option-words.js";
import type { ExperimentWorld } from "../io/experiment-world.js";
import type { FleetEnd } from "../fleet/fleet-line.js";
import type { Io } from "../io/command.js";
import { seedOption } from "../options/experiment-options.js";
import { judgeOptions } from "../options/judge-options.js";
import { compareCommandIn } from "./compare-command.js";

const JUDGING: OptionTable = [seedOption, ...judgeOptions];

/** @param values of the command line, of which those about judging count */
export const compareStores = (
  stores: FleetEnd["stores"],
  values: Parameters<typeof optionWords>[1],
  world: ExperimentWorld,
  io: Io,
): Promise<ExitCode> =>
  compareCommandIn(world).run([...optionWords(JUDGING, values), ...stores.map(({ path }) => path)], io);
