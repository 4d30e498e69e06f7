import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nestedSquares, varianceComponents } from "../../../../src/stats/blocks/variance-components.js";
import { seededRandom } from "../../../../src/stats/random.js";
import { near } from "./near.js";

/** Wing lengths of mosquitoes, two of each of four females of three cages (R. Sokal, F. Rohlf, "Biometry", box 10.1). */
const WINGS = [
  [
    [58.5, 59.5],
    [77.8, 80.9],
    [84.0, 83.6],
    [70.1, 68.3],
  ],
  [
    [69.8, 69.8],
    [56.0, 54.5],
    [50.7, 49.3],
    [63.8, 65.8],
  ],
  [
    [56.6, 57.5],
    [77.8, 79.2],
    [69.9, 69.2],
    [62.1, 64.5],
  ],
];

void describe("the division of scatter", () => {
  void it("agrees with the worked example of Sokal and Rohlf", () => {
    const { run, boot, machine } = nestedSquares(WINGS);
    near(machine.sum, 665.6759, 5e-4);
    near(boot.sum, 1720.6775, 5e-4);
    near(run.sum, 15.62, 5e-4);
    assert.deepEqual([machine.degrees, boot.degrees, run.degrees], [2, 9, 12]);
    const parts = varianceComponents([WINGS]);
    near(parts.run, 1.3017, 5e-5);
    near(parts.boot, 94.9424, 5e-5);
    near(parts.machine, 17.7064, 5e-5);
  });

  void it("takes samples with other centres for the same scatter", () => {
    const shifted = WINGS.map((boots) => boots.map((runs) => runs.map((run) => run + 1000)));
    const [once, twice] = [varianceComponents([WINGS]), varianceComponents([WINGS, shifted])];
    for (const level of ["run", "boot", "machine"] as const) near(twice[level], once[level] ?? Number.NaN, 1e-6);
  });

  void it("finds the true parts of many unequal boots", () => {
    const random = seededRandom(2);
    const normal = (): number =>
      Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());
    const machines = Array.from({ length: 400 }, () => {
      const machine = 3 * normal();
      return Array.from({ length: 1 + random.below(4) }, () => {
        const boot = machine + 2 * normal();
        return Array.from({ length: 1 + random.below(5) }, () => boot + normal());
      });
    });
    const { run, boot, machine } = varianceComponents([machines]);
    near(run, 1, 0.1);
    near(boot, 4, 0.6);
    near(machine, 9, 1.5);
  });

  void it("does not know the level that there is one of", () => {
    assert.deepEqual(varianceComponents([[[[1, 2, 3]]]]), { machine: null, boot: null, run: 1 });
    assert.deepEqual(varianceComponents([[[[1], [3]]]]), { machine: null, boot: 2, run: null });
  });
});
