/** What is to be known of a block beside its figures: in what its machine differs from the others, and of what its runs warn. Pure. */
import { at } from "../../at.js";
import type { RunResult } from "../../model/result/run-result.js";
import { kernelOf } from "../../model/result/run-kernel.js";
import type { BlockDesign } from "./design.js";
import type { RunPlace } from "./place.js";

/** A block as a table names it. */
export interface BlockFacts {
  readonly name: string;
  /** null where the runs do not say. */
  readonly machine: string | null;
  /** By subject: runs that were judged. */
  readonly runs: readonly number[];
  /** By subject: boots that these were made in; 0 where the runs do not say. */
  readonly boots: readonly number[];
  /** In what it differs from most others, such as `another CPU model`. */
  readonly differs: readonly string[];
  /** What its runs warn of themselves, such as steal-time, and how many do. */
  readonly warnings: readonly { readonly code: string; readonly runs: number }[];
}

/** The facts that are held against each other, with what to call a difference. */
const FACTS = [
  ["another CPU model", ({ host }: RunResult) => host?.cpuModel ?? null],
  ["another number of CPUs", ({ host }: RunResult) => host?.cpusOnline ?? null],
  ["another kernel", kernelOf],
  ["another CPU frequency governor", ({ host }: RunResult) => host?.governor ?? null],
  ["another SMT setting", ({ host }: RunResult) => host?.smt ?? null],
  ["another huge page setting", ({ host }: RunResult) => host?.transparentHugepage ?? null],
  ["another hypervisor, or none", ({ host }: RunResult) => (host === null ? null : (host.virtualization ?? "none"))],
  ["another CPU limit", ({ host }: RunResult) => (host === null ? null : (host.cgroupCpuMax ?? "none"))],
  ["another engine", ({ source }: RunResult) => (source.kind === "engine" ? source.build : null)],
] as const satisfies readonly (readonly [string, (run: RunResult) => string | number | null])[];

const valueOf = (runs: readonly RunResult[], read: (run: RunResult) => string | number | null): string =>
  [...new Set(runs.map(read))].join(", ");

/** What more than half of the blocks say; null: nothing. */
const usual = (values: readonly string[]): string | null => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most !== undefined && 2 * most[1] > values.length ? most[0] : null;
};

/** By block: the facts in which it is not as most are. */
const factsApart = (blocks: readonly (readonly RunResult[])[]): readonly (readonly string[])[] => {
  const found = FACTS.map(([words, read]) => {
    const values = blocks.map((runs) => valueOf(runs, read));
    const most = usual(values);
    return values.map((value) => (most !== null && most !== "" && value !== "" && value !== most ? words : null));
  });
  return blocks.map((_, block) => found.flatMap((ofFact) => ofFact[block] ?? []));
};

/** What the runs of a block warn of, the most frequent first. */
const warningsIn = (runs: readonly RunResult[]): BlockFacts["warnings"] => {
  const counts = new Map<string, number>();
  for (const run of runs)
    for (const code of new Set(run.warnings.map((warning) => warning.code)))
      counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].map(([code, count]) => ({ code, runs: count })).toSorted((a, b) => b.runs - a.runs);
};

/** The runs of a comparison, with their blocks. */
export interface BlockedRuns {
  readonly subjects: readonly { readonly name: string; readonly runs: readonly RunResult[] }[];
  /** By subject and run. */
  readonly places: readonly (readonly RunPlace[])[];
  readonly design: BlockDesign;
}

/** A machine by its file's name, where each has one; a boot by its number: its id says nothing. */
const rowNames = ({ places, design }: BlockedRuns): readonly string[] => {
  const all = places.flat();
  if (design.by === "boot") return design.rows.map((_, row) => `boot ${row + 1}`);
  if (design.by !== "machine") return design.rows.map(({ key }) => key);
  const filesOf = design.rows.map(({ key }) => [
    ...new Set(all.filter(({ machine }) => machine === key).map(({ file }) => file)),
  ]);
  const names = filesOf.flatMap((files) => (files.length === 1 ? (files[0] ?? []) : []));
  return new Set(names).size === design.rows.length ? names : design.rows.map(({ key }) => key);
};

/** The blocks of a design, as a table names them. */
export const blockFacts = (runs: BlockedRuns): readonly BlockFacts[] => {
  const { subjects, places, design } = runs;
  const names = rowNames(runs);
  const members = design.rows.map(({ strata }) =>
    subjects.map((_, subject) => strata.flatMap((stratum) => at(at(design.strata, stratum).subjects, subject).flat())),
  );
  const runsOf = members.map((ofSubjects) =>
    ofSubjects.flatMap((indexes, subject) => indexes.map((run) => at(at(subjects, subject).runs, run))),
  );
  const apart = factsApart(runsOf);
  return design.rows.map((_, row) => {
    const placed = at(members, row).map((indexes, subject) => indexes.map((run) => at(at(places, subject), run)));
    return {
      name: at(names, row),
      machine: placed.flat()[0]?.machine ?? null,
      runs: at(members, row).map(({ length }) => length),
      boots: placed.map((own) => new Set(own.flatMap(({ boot }) => boot ?? [])).size),
      differs: at(apart, row),
      warnings: warningsIn(at(runsOf, row)),
    };
  });
};
