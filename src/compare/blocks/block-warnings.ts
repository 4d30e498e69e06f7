/** What to doubt in the blocks of a comparison. Pure. */
import { at } from "../../at.js";
import { counted } from "../../counted.js";
import type { Warning } from "../../model/result/run-result.js";
import { type BlockDesign, isPlain, replicateOf } from "./design.js";
import type { RunPlace } from "./place.js";

/** A subject's name with the places of its runs. */
export interface PlacedSubject {
  readonly name: string;
  readonly places: readonly RunPlace[];
}

const distinct = (values: readonly (string | null)[]): number => new Set(values.filter((value) => value !== null)).size;

/** Runs of several boots or machines that are judged as if they were of one. */
export const mixedPlaces = (subjects: readonly PlacedSubject[]): readonly Warning[] =>
  subjects.flatMap(({ name, places }): readonly Warning[] => {
    const [boots, machines] = [
      distinct(places.map(({ boot }) => boot)),
      distinct(places.map(({ machine }) => machine)),
    ];
    if (boots < 2 && machines < 2) return [];
    const where = [
      ...(machines > 1 ? [counted(machines, "machine")] : []),
      ...(boots > 1 ? [counted(boots, "boot")] : []),
    ];
    return [
      {
        code: "mixed-boots",
        message: `${name}: its runs come from ${where.join(" and ")}, and are judged as if from one: what differs between boots may look like a difference between the subjects`,
        cure: "Leave --blocks at its default, and compare one setting at a time (--cell).",
      },
    ];
  });

/** Fewer boots than this of each subject cannot show a difference in every metric. */
const RECOMMENDED_UNITS = 6;

const fewUnits = (subjects: readonly PlacedSubject[], design: BlockDesign): readonly Warning[] => {
  const replicate = replicateOf(design);
  if (replicate === "run") return [];
  return subjects.flatMap(({ name }, subject): readonly Warning[] => {
    const units = design.strata.reduce((sum, { subjects: inside }) => sum + at(inside, subject).length, 0);
    if (units >= RECOMMENDED_UNITS) return [];
    return [
      {
        code: `few-${replicate}s`,
        message: `${name}: ${counted(units, replicate)} of its own, each of which counts once, however many runs were made there`,
        cure:
          replicate === "boot"
            ? `Boot each subject at least ${RECOMMENDED_UNITS} times, or run all subjects in every boot.`
            : "Run all subjects on every machine.",
      },
    ];
  });
};

/** Rows that are called machines and are one. */
const oneKernel = ({ rows, oneBoot }: BlockDesign): readonly Warning[] =>
  oneBoot.map((shared) => ({
    code: "one-kernel",
    message: `${shared.map((row) => at(rows, row).key).join(", ")} are one machine: they ran in one boot of one kernel, and say nothing of other machines`,
    cure: "Name each machine once; nodes that share a machine disturb each other, too.",
  }));

/** Everything to doubt; `subjects` and `design` as they were before runs were left out. */
export const blockWarnings = (subjects: readonly PlacedSubject[], design: BlockDesign): readonly Warning[] => [
  ...(isPlain(design) ? mixedPlaces(subjects) : []),
  ...subjects.flatMap(({ name }, subject): readonly Warning[] => {
    const left = at(design.leftOut, subject).length;
    return left === 0
      ? []
      : [
          {
            code: "unmatched-runs",
            message: `${name}: ${counted(left, "run")} left out: no other subject ran in the same place`,
            cure: "Run all subjects in every boot and on every machine.",
          },
        ];
  }),
  ...oneKernel(design),
  ...fewUnits(subjects, design),
];
