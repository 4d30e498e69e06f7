/** The world of an experiment on this machine, with this package's own command: for the command and for a caller's program. */
import type { Laboratory } from "../experiment/laboratory.js";
import { parseOutput } from "../parse/parse-output.js";
import { machineSite } from "./here/machine-site.js";
import { placesOn, type PlaceOf } from "./places.js";
import { continuationHere } from "./reboot/continuation.js";
import { systemAt } from "./reboot/system.js";

/** This machine. */
export const machineLaboratory: Omit<Laboratory, "append" | "placeOf"> & { readonly placeOf: PlaceOf } = {
  ...machineSite,
  placeOf: placesOn({ system: systemAt("/"), site: machineSite, continuation: continuationHere }),
  nowMsec: () => Date.now(),
  parse: (text, file) => parseOutput(text, { file }),
};
