import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type CompareOptions, compareSubjects } from "../../../src/compare/compare.js";
import type { Comparison } from "../../../src/compare/comparison.js";
import { judgeGate } from "../../../src/compare/gate.js";
import type { SubjectRuns } from "../../../src/compare/comparison-warnings.js";
import { blockSentences } from "../../../src/render/comparison/block-words.js";
import { fakeBoots, fakeFleet, normal, placedRun } from "../../helpers/fakes/fake-fleet.js";
import { seededRandom } from "../../../src/stats/random.js";

/** One store with all machines of a fleet. */
const inOneStore = (fleet: ReturnType<typeof fakeFleet>): readonly SubjectRuns[] =>
  [0, 1].map((subject) => ({
    name: fleet[0]?.subjects[subject]?.name ?? "",
    runs: fleet.flatMap(({ subjects }) => subjects[subject]?.runs ?? []),
  }));

const primaryOf = (comparison: Comparison) => {
  const metric = comparison.metrics.find(({ primary }) => primary);
  const [pair] = metric?.pairs ?? [];
  assert.ok(metric !== undefined && pair !== undefined);
  return { metric, pair };
};

/** The first plan after thirty boots of such scatter. */
const nextOf = (boot: number, run: number) =>
  primaryOf(compareSubjects(fakeBoots(30, 4, { boot, run }), { metrics: ["request-p50"] })).metric.next?.[0];

/** Fewer metrics, faster; what is tested holds for any. */
const FEW: CompareOptions = { metrics: ["request-p50"] };

void describe("runs of several machines", () => {
  const fleet = inOneStore(fakeFleet([0.1, 0.12, 0.08, 0.1, 0.11, 0.09]));

  void it("are compared within each, so that the machines' speeds do not hide what all of them show", () => {
    const blocked = compareSubjects(fleet, FEW);
    const { metric, pair } = primaryOf(blocked);
    assert.equal(pair.verdict.kind, "different");
    assert.ok(pair.ratio !== null && Math.abs(pair.ratio.value - 1.1) < 0.03, JSON.stringify(pair.ratio));
    assert.equal(metric.blocks?.length, 6);
    assert.deepEqual(blocked.blocks?.by, "machine");
    assert.deepEqual(blocked.blocks?.scope, "like-these");
    // The same runs as one sample drown in what differs between machines.
    const asOne = compareSubjects(fleet, { ...FEW, blocks: "none" });
    assert.notEqual(primaryOf(asOne).pair.verdict.kind, "different");
    assert.ok(asOne.warnings.some(({ code }) => code === "mixed-boots"));
    assert.equal(asOne.blocks, undefined);
  });

  void it("that are nodes on one kernel stay rows, and speak for themselves only, with a warning", () => {
    const nodes = fleet.map(({ name, runs }) => ({
      name,
      runs: runs.map((run) => ({
        ...run,
        origin: { bootId: "one", kernel: "6.18.1", hostname: "host", version: "1.0.0", machine: run.origin?.hostname },
      })),
    }));
    const compared = compareSubjects(nodes, FEW);
    assert.deepEqual(
      compared.blocks?.rows.map(({ name }) => name),
      ["node1", "node2", "node3", "node4", "node5", "node6"],
    );
    assert.equal(compared.blocks?.scope, "these");
    assert.deepEqual(primaryOf(compared).metric.next, []);
    const warning = compared.warnings.find(({ code }) => code === "one-kernel");
    assert.match(warning?.message ?? "", /^node1, node2, node3, node4, node5, node6 are one machine/);
    const said = blockSentences(compared).join("\n");
    assert.match(said, /worse on 6 of 6 nodes\./);
    assert.doesNotMatch(said, /machines/);
    // Without names given by somebody, one boot is one machine.
    const unnamed = nodes.map(({ name, runs }) => ({
      name,
      runs: runs.map((run) => ({ ...run, origin: { ...run.origin, machine: undefined } })),
    }));
    assert.equal(compareSubjects(unnamed, FEW).blocks, undefined);
  });

  void it("do not warn of different CPUs that every subject had", () => {
    const mixed = inOneStore(fakeFleet([0, 0], { host: (machine) => ({ cpuModel: `CPU ${machine}` }) }));
    assert.ok(compareSubjects(mixed, FEW).warnings.every(({ code }) => code !== "different-machines"));
    assert.ok(
      compareSubjects(mixed, { ...FEW, blocks: "none" }).warnings.some(({ code }) => code === "different-machines"),
    );
  });

  void it("say which machine disagrees, and what is different about it", () => {
    const disagreeing = inOneStore(
      fakeFleet([0.1, 0.1, 0.1, -0.1, 0.1, 0.1], {
        host: (machine) => (machine === 3 ? { cpuModel: "Other CPU" } : {}),
      }),
    );
    const compared = compareSubjects(disagreeing, FEW);
    const { metric } = primaryOf(compared);
    assert.ok((metric.agreement?.[0]?.p ?? 1) <= 0.01);
    assert.deepEqual(metric.agreement?.[0]?.apart, [3]);
    assert.deepEqual(compared.blocks?.rows[3]?.differs, ["another CPU model"]);
    assert.deepEqual(compared.blocks?.rows[0]?.differs, []);
    const verdicts = metric.blocks?.map(({ pairs }) => pairs[0]?.verdict);
    assert.deepEqual(verdicts?.[3], { kind: "different", direction: "better" });
    assert.deepEqual(verdicts?.[0], { kind: "different", direction: "worse" });
    // What is worse on one machine is a difference, and fails a gate, though over all machines nothing may be shown.
    assert.equal(compared.outcome, "different");
    const gate = judgeGate(compared, { failOn: "worse", margin: null, metrics: null });
    assert.equal(gate.outcome, "fail");
    assert.ok(gate.rows.some(({ cell, status }) => cell === "node1" && status === "fail"));
  });

  void it("have one effect, as far as can be told, where they have one", () => {
    const { metric } = primaryOf(compareSubjects(fleet, FEW));
    assert.ok((metric.agreement?.[0]?.p ?? 0) > 0.05);
    assert.deepEqual(metric.agreement?.[0]?.apart, []);
  });

  void it("keep the figures of a run whichever order the machines come in", () => {
    const machines = fakeFleet([0.1, 0, 0.2]);
    const there = primaryOf(compareSubjects(inOneStore(machines), FEW)).pair.ratio;
    const back = primaryOf(compareSubjects(inOneStore(machines.toReversed()), FEW)).pair.ratio;
    assert.ok(Math.abs((there?.value ?? 0) - (back?.value ?? 1)) < 1e-12);
  });

  void it("of which one was booted in between are compared within each boot of it", () => {
    const machines = fakeFleet([0.1, 0.1, 0.1]);
    const rebooted = inOneStore(machines).map(({ name, runs }) => ({
      name,
      // The second boot of the first machine is twice as slow.
      runs: runs.map((run, index) =>
        index >= 3 || run.origin === undefined
          ? run
          : placedRun(seededRandom(index), {
              machine: "node1",
              boot: "another",
              factor: 2 * (name === "base" ? 1 : 1.1),
              runScatter: 0.01,
            }),
      ),
    }));
    const compared = compareSubjects(rebooted, FEW);
    assert.deepEqual(compared.blocks?.rows[0]?.boots, [2, 2]);
    const { pair } = primaryOf(compared);
    assert.ok(pair.ratio !== null && Math.abs(pair.ratio.value - 1.1) < 0.04, JSON.stringify(pair.ratio));
    assert.equal(pair.verdict.kind, "different");
  });
});

void describe("subjects with boots of their own", () => {
  const scatter = { boot: 0.03, run: 0.01 };

  void it("are undecided with two boots each, however many runs, and say how many it takes", () => {
    const two = compareSubjects(fakeBoots(2, 20, scatter, { effect: 0.3 }), FEW);
    const { pair } = primaryOf(two);
    assert.equal(two.outcome, "undecided");
    assert.deepEqual(pair.verdict, { kind: "undecided", because: "too-few-runs", neededRuns: 5 });
    assert.equal(pair.unit, "boot");
    assert.equal(judgeGate(two, { failOn: "worse", margin: null, metrics: null }).outcome, "undecided");
    assert.ok(two.warnings.some(({ code }) => code === "few-boots"));
  });

  void it("differ where their boots do", () => {
    const six = compareSubjects(fakeBoots(6, 3, scatter, { effect: 0.3 }), FEW);
    assert.deepEqual(primaryOf(six).pair.verdict, { kind: "different", direction: "worse" });
    assert.equal(six.metrics[0]?.subjects[0]?.units?.length, 6);
    assert.equal(six.metrics[0]?.subjects[0]?.values.length, 18);
  });

  void it("tell how the scatter divides, and the cheapest next experiment", () => {
    const { metric } = primaryOf(compareSubjects(fakeBoots(40, 5, scatter), FEW));
    assert.ok(Math.abs((metric.scatter?.boot ?? 0) - 0.03) < 0.006, JSON.stringify(metric.scatter));
    assert.ok((metric.scatter?.run ?? 1) < 0.02);
    assert.equal(metric.scatter?.machine, null);
    const [five] = metric.next ?? [];
    assert.ok(five !== undefined && five.unit === "boot" && five.change === 0.05);
    assert.ok(five.units >= 6 && five.units <= 20, JSON.stringify(five));
    // From the end of a boot's last run to the first of the next: 40 s and the second between two runs.
    assert.equal(five.bootSec, 41);
  });

  void it("need fewer boots, of more runs, the more the runs scatter", () => {
    const [steadyRuns, wildRuns] = [nextOf(0.02, 0.002), nextOf(0.005, 0.05)];
    assert.equal(steadyRuns?.runs, 1);
    assert.ok((wildRuns?.runs ?? 0) > 1, JSON.stringify(wildRuns));
  });
});

void describe("old runs", () => {
  void it("that do not say where they were made are judged as ever", () => {
    const random = seededRandom(5);
    const [a, b] = [0, 1].map((subject) => ({
      name: `s${subject}`,
      runs: Array.from({ length: 6 }, () => {
        const { origin: _, ...run } = placedRun(random, {
          machine: subject === 0 ? "here" : "there",
          boot: "x",
          factor: Math.exp(0.05 * normal(random)),
          runScatter: 0.01,
        });
        return run;
      }),
    }));
    assert.ok(a !== undefined && b !== undefined);
    const auto = compareSubjects([a, b]);
    assert.deepEqual(auto, compareSubjects([a, b], { blocks: "none" }));
    assert.equal(auto.blocks, undefined);
  });
});
