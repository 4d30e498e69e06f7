import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { type BlockDesign, blockDesign, isPlain, replicateOf } from "../../../../src/compare/blocks/design.js";
import type { RunPlace } from "../../../../src/compare/blocks/place.js";

const at = (machine: string | null, boot: string | null = null, file: string | null = null): RunPlace => ({
  machine,
  boot,
  file,
});

/** The runs of every subject in every stratum, as `row: [[runs of the base by unit], [runs of the candidate by unit]]`. */
const shape = ({ strata }: BlockDesign) => strata.map(({ row, subjects }) => [row, subjects] as const);

/** Two machines with two boots each, all of one subject. */
const side = (name: string) =>
  ["m1", "m2"].flatMap((machine) => [1, 2].map((boot) => at(machine, machine + name + boot)));

void describe("the blocks of runs", () => {
  void it("are one sample on one machine and boot, and where nothing is known", () => {
    for (const place of [at(null), at("m", "b"), at("m")]) {
      const design = blockDesign([Array(3).fill(place), Array(3).fill(place)], "auto");
      assert.ok(isPlain(design));
      assert.deepEqual(shape(design), [
        [
          0,
          [
            [[0], [1], [2]],
            [[0], [1], [2]],
          ],
        ],
      ]);
    }
  });

  void it("are machines where each ran both subjects", () => {
    const runs = [at("m1", "b1"), at("m2", "b2"), at("m1", "b1")];
    const design = blockDesign([runs, runs], "auto");
    assert.equal(design.by, "machine");
    assert.deepEqual(
      design.rows.map(({ key }) => key),
      ["m1", "m2"],
    );
    assert.deepEqual(shape(design), [
      [
        0,
        [
          [[0], [2]],
          [[0], [2]],
        ],
      ],
      [1, [[[1]], [[1]]]],
    ]);
    assert.equal(replicateOf(design), "run");
  });

  void it("are boots where each has both subjects, as a resumed experiment does", () => {
    const runs = [at("m", "b1"), at("m", "b2")];
    const design = blockDesign([runs, runs], "auto");
    assert.equal(design.by, "boot");
    assert.equal(design.strata.length, 2);
  });

  void it("count a boot once that belongs to one subject", () => {
    const design = blockDesign(
      [
        [at("m", "a1"), at("m", "a1"), at("m", "a2")],
        [at("m", "b1"), at("m", "b2"), at("m", "b2")],
      ],
      "auto",
    );
    assert.equal(design.by, null);
    assert.equal(replicateOf(design), "boot");
    assert.deepEqual(shape(design), [
      [
        0,
        [
          [[0, 1], [2]],
          [[0], [1, 2]],
        ],
      ],
    ]);
  });

  void it("count boots of their own within each machine", () => {
    const design = blockDesign([side("a"), side("b")], "auto");
    assert.equal(design.by, "machine");
    assert.deepEqual(
      design.strata.map(({ replicate, subjects }) => [replicate, subjects.map(({ length }) => length)]),
      [
        ["boot", [2, 2]],
        ["boot", [2, 2]],
      ],
    );
  });

  void it("split a machine that was booted in between into its boots, in one row", () => {
    const runs = [at("m1", "b1"), at("m1", "b2"), at("m2", "b3")];
    const design = blockDesign([runs, runs], "auto");
    assert.deepEqual(
      design.rows.map(({ strata }) => strata),
      [[0, 1], [2]],
    );
  });

  void it("count a machine once that belongs to one subject", () => {
    const design = blockDesign([[at("m1", "b1"), at("m1", "b1")], [at("m2", "b2")]], "auto");
    assert.equal(replicateOf(design), "machine");
    assert.deepEqual(shape(design), [[0, [[[0, 1]], [[0]]]]]);
  });

  void it("leave out the run of a boot that ended before its counterpart", () => {
    const base = [at("m", "b1"), at("m", "b1"), at("m", "b2")];
    const design = blockDesign([base, base.slice(0, 2)], "auto");
    assert.deepEqual(design.leftOut, [[2], []]);
    assert.ok(!isPlain(design));
    assert.deepEqual(design.strata.length, 1);
  });

  void it("are files on one machine and boot, and what is asked for", () => {
    const runs = [at("m", "b", "first"), at("m", "b", "second")];
    assert.equal(blockDesign([runs, runs], "auto").by, "file");
    assert.ok(isPlain(blockDesign([runs, runs], "none")));
    assert.equal(blockDesign([runs, runs], "machine").by, null);
    assert.equal(blockDesign([runs, runs], "file").by, "file");
    // A file for each subject is no block.
    assert.ok(isPlain(blockDesign([[at("m", "b", "first")], [at("m", "b", "second")]], "auto")));
  });

  void it("hold every run once, or leave it out", () => {
    const place = fc.record({
      machine: fc.constantFrom("m1", "m2", "m3"),
      boot: fc.constantFrom("1", "2", "3"),
      file: fc.constantFrom("x", "y"),
    });
    const places = fc.array(place, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(places, places, places, (...given) => {
        // A boot is of one machine.
        const subjects = given.map((runs) => runs.map((one) => ({ ...one, boot: one.machine + one.boot })));
        const design = blockDesign(subjects, "auto");
        subjects.forEach((runs, subject) => {
          const inStrata = design.strata.flatMap((stratum) => stratum.subjects[subject]?.flat() ?? []);
          const all = [...inStrata, ...(design.leftOut[subject] ?? [])].toSorted((a, b) => a - b);
          assert.deepEqual(all, [...runs.keys()]);
        });
        assert.deepEqual(
          design.rows.flatMap(({ strata }) => strata),
          [...design.strata.keys()],
        );
      }),
    );
  });
});
