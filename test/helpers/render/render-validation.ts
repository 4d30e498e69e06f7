/** A made-up validation: two references, one or two builds of ours, a few axes. */
import { judgeByRound } from "../../../src/validate/by-round.js";
import { judgeEnvelope } from "../../../src/validate/envelope.js";
import { type MetricId, metricOf } from "../../../src/model/metrics/metrics.js";
import type { AxisValidation, CellStatus, MetricValidation, Validation } from "../../../src/validate/validation.js";
import { fakeRun, seededUniform } from "./render-results.js";

const REFERENCES = ["gcc", "clang"] as const;

interface FakeMetric {
  readonly id: MetricId;
  /** Means: gcc, clang, then ours. */
  readonly means: readonly number[];
  /** Scatter over rounds, as a share. */
  readonly scatter: number;
}

const rounds = 6;

const metric = (fake: FakeMetric, ours: readonly string[], uniform: () => number): MetricValidation => {
  const { label, unit, quantised, noiseFloor } = metricOf(fake.id);
  const subjects = [...REFERENCES, ...ours].map((subject, i) => {
    const values = Array.from({ length: rounds }, () => {
      const value = (fake.means[i] ?? 1) * (1 + (uniform() - 0.5) * 2 * fake.scatter);
      return quantised ? Math.round(value) : value;
    });
    const average = values.reduce((sum, value) => sum + value, 0) / rounds;
    return { subject, values, average, min: Math.min(...values), max: Math.max(...values) };
  });
  const references = subjects.slice(0, 2).map(({ subject, values }) => ({ name: subject, values }));
  const verdicts = subjects.slice(2).map(({ subject, values }) => {
    const judgement = judgeEnvelope({ metric: { id: fake.id, quantised }, ours: values, references });
    const status: CellStatus =
      judgement === null ? "not-judged" : judgement.verdict === "noise" ? "noise" : judgement.equivalence.kind;
    const byRound = judgeByRound({
      ours: values,
      references: references.map((reference) => reference.values),
      quantised,
      noiseFloor,
    });
    return { subject, status, judgement, byRound, allBuilds: null };
  });
  return { id: fake.id, label, unit, group: "latency", subjects, verdicts };
};

/** A validation of the builds named. */
export const fakeValidation = (ours: readonly string[] = ["native"]): Validation => {
  const uniform = seededUniform(7);
  const axis = (name: string, flags: string, shift: number): AxisValidation => ({
    name,
    flags,
    engineFlags: "",
    rounds,
    notes: [],
    degeneracies:
      name === "A50"
        ? [
            {
              code: "target-not-reached",
              message: "the target of 50 % busy was not reached: gcc 31, clang 30, native 31",
              spoils: [],
            },
          ]
        : [],
    metrics: [
      metric({ id: "wakeup-p99", means: [41, 39, 42, 44], scatter: 0.2 }, ours, uniform),
      metric({ id: "request-p50", means: [4980, 4590, 4760 * shift, 5210], scatter: 0.004 }, ours, uniform),
      metric({ id: "request-p99", means: [5120, 4720, 4890 * shift, 5350], scatter: 0.012 }, ours, uniform),
      metric({ id: "rps-p50", means: [390, 423, 408 / shift, 372], scatter: 0.005 }, ours, uniform),
      metric({ id: "average-rps", means: [390.4, 422.8, 408.1 / shift, 372.3], scatter: 0.004 }, ours, uniform),
    ],
  });
  const axes = [
    axis("default", "-m 1 -t 2", 1),
    axis("t1", "-m 1 -t 1", 0.99),
    axis("F64", "-m 1 -t 2 -F 64", 1.075),
    axis("A50", "-m 1 -t 2 -A 50", 1.02),
  ];
  const counts = { inside: 0, outside: 0, noise: 0, undecided: 0, "not-judged": 0 };
  for (const { status } of axes.flatMap(({ metrics }) => metrics.flatMap(({ verdicts }) => verdicts))) counts[status]++;
  return {
    format: "schbench-ts/validation",
    version: 1,
    startedAt: "2026-11-28T09:14:02.000Z",
    policy: "measured",
    subjects: [
      { name: "gcc", role: "reference", description: "./schbench-gcc" },
      { name: "clang", role: "reference", description: "./schbench-clang" },
      ...ours.map((name) => ({ name, role: "ours" as const, description: "native engine, x86-64-v3 gcc 12.2.0" })),
    ],
    envelope: REFERENCES,
    axes,
    allBuilds: null,
    code: [{ subject: ours[0] ?? "native", ok: true, summary: "scalar, not vectorised, one store per product" }],
    counts,
    outcome: counts.outside > 0 ? "outside" : counts.undecided > 0 ? "undecided" : "inside",
    schedulers: [],
    leftOut: [],
    host: fakeRun({ seed: 1, seconds: 1 }).host,
  };
};
