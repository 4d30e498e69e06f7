/** The options about other machines. */
import type { OptionTable } from "../../options/option-table.js";

/** Where an experiment runs, if not here. */
export const fleetOptions = [
  {
    id: "on",
    kind: "text",
    long: ["on"],
    group: "Machines",
    meaning: "run the whole experiment on another machine: what starts a command there, such as 'ssh host3'",
    valueName: "[NAME=]COMMAND",
    repeated: true,
    defaultText: "this machine",
  },
  {
    id: "onCommand",
    kind: "text",
    long: ["on-command"],
    group: "Machines",
    meaning: "what schbench-ts is called on the other machines",
    valueName: "COMMAND",
    default: "schbench-ts",
  },
] as const satisfies OptionTable;
