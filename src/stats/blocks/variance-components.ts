/**
 * How scatter divides into levels that lie within each other, machine ⊃ boot ⊃ run: the analysis of variance of a nested design, also
 * with unequal numbers (S. Searle, G. Casella, C. McCulloch 1992, "Variance Components", 3.6 and 5.3). Expected mean squares set equal to those
 * seen give the variances; a negative one is 0. For benchmarks: T. Kalibera, R. Jones 2013, "Rigorous Benchmarking in Reasonable
 * Time", ISMM, sections 6 and 9.
 */
import { at } from "../../at.js";
import { mean } from "../sample.js";

/** Variances by level. */
export interface VarianceComponents {
  /** null: there is one machine only. */
  readonly machine: number | null;
  /** null: no machine has several boots. */
  readonly boot: number | null;
  /** null: no boot has several runs. */
  readonly run: number | null;
}

/** Values by machine, then boot, then run; no boot is empty. */
export type NestedValues = readonly (readonly (readonly number[])[])[];

/** Sums of squares with their degrees of freedom, and how much of each variance is in them. */
interface Squares {
  readonly sum: number;
  readonly degrees: number;
}

const squaresAbout = (values: readonly number[], center: number): number =>
  values.reduce((sum, value) => sum + (value - center) ** 2, 0);

/** Sums of squares within boots, between the boots of a machine, and between machines. */
export const nestedSquares = (machines: NestedValues): Readonly<Record<"run" | "boot" | "machine", Squares>> => {
  const boots = machines.flat();
  const all = boots.flat();
  const total = mean(all);
  return {
    run: {
      sum: boots.reduce((sum, runs) => sum + squaresAbout(runs, mean(runs)), 0),
      degrees: all.length - boots.length,
    },
    boot: {
      sum: machines.reduce((sum, inside) => {
        const center = mean(inside.flat());
        return sum + inside.reduce((part, runs) => part + runs.length * (mean(runs) - center) ** 2, 0);
      }, 0),
      degrees: boots.length - machines.length,
    },
    machine: {
      sum: machines.reduce((sum, inside) => {
        const values = inside.flat();
        return sum + values.length * (mean(values) - total) ** 2;
      }, 0),
      degrees: machines.length - 1,
    },
  };
};

const sumOfSquares = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count ** 2, 0);

/** Of several samples with centres of their own (subjects), together; at least one, none empty. */
export const varianceComponents = (samples: readonly NestedValues[]): VarianceComponents => {
  // Sums of squares and what is expected of them add up over samples.
  let [runSum, runDegrees, bootSum, bootDegrees, machineSum, machineDegrees] = [0, 0, 0, 0, 0, 0];
  let [bootInBoot, bootInMachine, machineInMachine] = [0, 0, 0];
  for (const machines of samples) {
    const { run, boot, machine } = nestedSquares(machines);
    [runSum, runDegrees] = [runSum + run.sum, runDegrees + run.degrees];
    [bootSum, bootDegrees] = [bootSum + boot.sum, bootDegrees + boot.degrees];
    [machineSum, machineDegrees] = [machineSum + machine.sum, machineDegrees + machine.degrees];
    const counts = machines.map((boots) => boots.map(({ length }) => length));
    const sizes = counts.map((boots) => boots.reduce((sum, count) => sum + count, 0));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const withinMachines = counts.reduce((sum, boots, index) => sum + sumOfSquares(boots) / at(sizes, index), 0);
    bootInBoot += total - withinMachines;
    bootInMachine += withinMachines - sumOfSquares(counts.flat()) / total;
    machineInMachine += total - sumOfSquares(sizes) / total;
  }
  const run = runDegrees > 0 ? runSum / runDegrees : null;
  const boot = bootDegrees > 0 ? Math.max(0, (bootSum - bootDegrees * (run ?? 0)) / bootInBoot) : null;
  const machine =
    machineDegrees > 0
      ? Math.max(0, (machineSum - machineDegrees * (run ?? 0) - bootInMachine * (boot ?? 0)) / machineInMachine)
      : null;
  return { machine, boot, run };
};
