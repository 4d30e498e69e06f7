/** The world of an experiment on this machine, with this package's own command: for the command and for a caller's program. */
import type { Laboratory } from "../experiment/laboratory.js";
import { parseOutput } from "../parse/parse-output.js";
import { machineSite } from "./here/machine-site.js";
import { placeOf } from "./places.js";

/** This machine. */
export const machineLaboratory: Omit<Laboratory, "append"> = {
  ...machineSite,
  placeOf,
  nowMsec: () => Date.now(),
  parse: (text, file) => parseOutput(text, { file }),
};
