/** The options about other machines. */
import type { OptionTable } from "../../options/line/option-table.js";

/** Where an experiment runs, if not here. */
export const fleetOptions = [
  {
    id: "on",
    kind: "text",
    long: ["on"],
    group: "Machines",
    meaning:
      "run the whole experiment on another machine: what starts a command there, such as 'ssh host3'; slurm: on --nodes of a cluster",
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
  {
    id: "nodes",
    kind: "count",
    long: ["nodes"],
    group: "Machines",
    meaning: "with --on slurm: run on so many nodes",
    min: 1,
    max: 10_000,
  },
  {
    id: "partition",
    kind: "text",
    long: ["partition"],
    group: "Machines",
    meaning: "with Slurm: the partition, as for sbatch",
    valueName: "NAME",
  },
  {
    id: "account",
    kind: "text",
    long: ["account"],
    group: "Machines",
    meaning: "with Slurm: the account, as for sbatch",
    valueName: "NAME",
  },
  {
    id: "sbatch",
    kind: "text",
    long: ["sbatch"],
    group: "Machines",
    meaning: "with Slurm: more options for sbatch, such as '--time=2:00:00 --constraint=zen4'",
    valueName: "OPTIONS",
  },
] as const satisfies OptionTable;
