/**
 * Which runs are held against each other: the blocks of a comparison, and what counts once in them. A machine, boot or file that has runs of
 * both sides is a block, and differences are formed within it. One that has runs of one subject only cannot be told from the subject:
 * it counts once, as the median of its runs, and is what must be repeated. Pure.
 */
import { at } from "../../at.js";
import { groupedBy } from "./grouped.js";
import { BLOCK_KINDS, type BlockKind, type RunPlace } from "./place.js";

/** What counts once. */
export type Replicate = "run" | "boot" | "machine";

/** Runs that are dealt anew among themselves. */
export interface Stratum {
  /** Index into `BlockDesign.rows`. */
  readonly row: number;
  readonly replicate: Replicate;
  /** By subject: what counts once, each as indexes of the subject's runs. */
  readonly subjects: readonly (readonly (readonly number[])[])[];
}

/** A block as a table shows it: one stratum or more. */
export interface BlockRow {
  /** The machine's, boot's or file's. */
  readonly key: string;
  readonly strata: readonly number[];
}

/** The blocks of a comparison. */
export interface BlockDesign {
  /** What a row is; null: there is one row. */
  readonly by: BlockKind | null;
  readonly strata: readonly Stratum[];
  readonly rows: readonly BlockRow[];
  /** By boot that several rows share: their indexes. Such rows are no machines of their own. */
  readonly oneBoot: readonly (readonly number[])[];
  /** By subject: runs in a block that has no run to hold them against. */
  readonly leftOut: readonly (readonly number[])[];
}

/** A run of a subject, with where it was made. */
interface Member {
  readonly subject: number;
  readonly run: number;
  readonly place: RunPlace;
}

/** A stratum that does not know its row. */
type LooseStratum = Omit<Stratum, "row">;

/** A level of blocks: the strata in each. */
interface Split {
  readonly by: BlockKind | null;
  readonly blocks: readonly { readonly key: string; readonly strata: readonly LooseStratum[] }[];
  readonly leftOut: readonly Member[];
}

/** Where places do not say, they are one. */
const keyAt = (place: RunPlace, level: BlockKind): string => {
  const key = place[level];
  return key === null ? "" : key;
};

const stratumOf = (members: readonly Member[], subjects: number, replicate: Replicate): LooseStratum => ({
  replicate,
  subjects: Array.from({ length: subjects }, (_, subject) => {
    const own = members.filter((member) => member.subject === subject);
    const units =
      replicate === "run"
        ? own.map((member) => [member])
        : [...groupedBy(own, ({ place }) => keyAt(place, replicate)).values()];
    return units.map((unit) => unit.map(({ run }) => run));
  }),
});

/** Has a group the base and somebody to hold against it? */
const isShared = (members: readonly Member[]): boolean => {
  const present = new Set(members.map(({ subject }) => subject));
  return present.has(0) && present.size > 1;
};

const countOf = (groups: readonly (readonly Member[])[]): number => groups.reduce((sum, { length }) => sum + length, 0);

const single = (stratum: LooseStratum): Split => ({
  by: null,
  blocks: [{ key: "", strata: [stratum] }],
  leftOut: [],
});

const byName = new Intl.Collator("en", { numeric: true });

/** Splits runs at the first of some levels at which their places differ. */
const split = (members: readonly Member[], subjects: number, levels: readonly BlockKind[]): Split => {
  const [level, ...deeper] = levels;
  if (level === undefined) return single(stratumOf(members, subjects, "run"));
  const isKnown = members.every(({ place }) => place[level] !== null);
  const met = isKnown ? [...groupedBy(members, ({ place }) => keyAt(place, level))] : [];
  // A boot's id says nothing; names are read as people do, node9 before node10.
  const groups = level === "boot" ? met : met.toSorted(([a], [b]) => byName.compare(a, b));
  if (groups.length < 2) return split(members, subjects, deeper);
  const shared = groups.filter(([, group]) => isShared(group));
  // A run or two of a boot that ended early are left out; where most boots belong to one subject, the boot is what differs.
  if (2 * countOf(shared.map(([, group]) => group)) < members.length)
    return level === "file" ? split(members, subjects, deeper) : single(stratumOf(members, subjects, level));
  const inside = shared.map(([key, group]) => ({ key, ...split(group, subjects, deeper) }));
  const leftOut = [
    ...groups.filter(([, group]) => !isShared(group)).flatMap(([, group]) => group),
    ...inside.flatMap((one) => one.leftOut),
  ];
  const [only] = inside;
  if (inside.length === 1 && only !== undefined) return { by: only.by, blocks: only.blocks, leftOut };
  return {
    by: level,
    blocks: inside.map(({ key, blocks }) => ({ key, strata: blocks.flatMap(({ strata }) => strata) })),
    leftOut,
  };
};

/** As one sample, whatever their places. */
const ignoring = (members: readonly Member[], subjects: number): Split => single(stratumOf(members, subjects, "run"));

/** The rows of each boot that lies in several of them. */
const rowsOfOneBoot = (
  strata: readonly Stratum[],
  places: readonly (readonly RunPlace[])[],
): readonly (readonly number[])[] => {
  const rowsOf = new Map<string, Set<number>>();
  for (const { row, subjects } of strata)
    for (const [subject, units] of subjects.entries())
      for (const run of units.flat()) {
        const { boot } = at(at(places, subject), run);
        if (boot !== null) rowsOf.set(boot, (rowsOf.get(boot) ?? new Set()).add(row));
      }
  return [...rowsOf.values()].filter(({ size }) => size > 1).map((rows) => [...rows].toSorted((a, b) => a - b));
};

/**
 * The blocks of runs.
 *
 * @param places by subject (the base first) and run
 * @param wanted by what to put runs together; "auto": by what they share; "none": one sample
 */
export const blockDesign = (
  places: readonly (readonly RunPlace[])[],
  wanted: BlockKind | "auto" | "none",
): BlockDesign => {
  const members = places.flatMap((runs, subject) => runs.map((place, run): Member => ({ subject, run, place })));
  const found =
    wanted === "none"
      ? ignoring(members, places.length)
      : split(members, places.length, wanted === "auto" ? BLOCK_KINDS : [wanted]);
  const strata = found.blocks.flatMap(({ strata: inside }, row) =>
    inside.map((stratum): Stratum => ({ ...stratum, row })),
  );
  const by = found.blocks.length > 1 ? found.by : null;
  return {
    by,
    strata,
    oneBoot: by === "machine" ? rowsOfOneBoot(strata, places) : [],
    rows: found.blocks.map(({ key }, row) => ({
      key,
      strata: [...strata.keys()].filter((index) => at(strata, index).row === row),
    })),
    leftOut: places.map((_, subject) =>
      found.leftOut.filter((member) => member.subject === subject).map(({ run }) => run),
    ),
  };
};

/** Are the rows machines, each of its own, so that they speak for machines like these? */
export const isFleet = ({ by, oneBoot }: BlockDesign): boolean => by === "machine" && oneBoot.length === 0;

/** Is it one sample of runs, judged as such? */
export const isPlain = ({ strata, leftOut }: BlockDesign): boolean =>
  strata.length === 1 &&
  strata.every(({ replicate }) => replicate === "run") &&
  leftOut.every(({ length }) => length === 0);

/** The coarsest of what counts once in its blocks. */
export const replicateOf = ({ strata }: BlockDesign): Replicate =>
  (["machine", "boot"] as const).find((kind) => strata.some(({ replicate }) => replicate === kind)) ?? "run";
