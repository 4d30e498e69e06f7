/** Our builds beside the references': what the hottest loop of each executes for one product, and in what they differ. Pure. */
import type { BuildFacts, ProductLoopFacts } from "./build-facts.js";
import { at } from "../at.js";

/** What is compared, each for one product. */
export const MIX_FIGURES = [
  { id: "instructions", label: "instructions", of: ({ mix }) => mix.instructions },
  { id: "loads", label: "loads", of: ({ mix }) => mix.loads },
  { id: "stores", label: "stores", of: ({ mix }) => mix.stores },
  { id: "multiplies", label: "multiplies", of: ({ mix }) => mix.multiplies },
  { id: "sum-adds", label: "additions to the sum", of: ({ mix }) => mix.sumAdds },
  { id: "address-arithmetic", label: "address arithmetic", of: ({ mix }) => mix.addressArithmetic },
  { id: "moves", label: "moves", of: ({ mix }) => mix.moves },
  { id: "compares", label: "compares", of: ({ mix }) => mix.compares },
  { id: "branches", label: "branches", of: ({ mix }) => mix.branches },
  { id: "sum-chain", label: "longest chain through the sum", of: ({ chains }) => longest(chains, "sum") },
  { id: "address-chain", label: "longest chain of addresses", of: ({ chains }) => longest(chains, "address") },
] as const satisfies readonly {
  readonly id: string;
  readonly label: string;
  readonly of: (loop: ProductLoopFacts) => number;
}[];

/** The name of a compared figure. */
export type MixFigureId = (typeof MIX_FIGURES)[number]["id"];

const longest = (chains: ProductLoopFacts["chains"], carries: "sum" | "address"): number =>
  Math.max(0, ...chains.filter((chain) => chain.carries === carries).map(({ length }) => length));

/** One figure of one of our builds beside the references'. */
export interface MixComparison {
  readonly figure: MixFigureId;
  readonly label: string;
  /** Per product. */
  readonly ours: number;
  /** By reference, in their order; per product. */
  readonly references: readonly number[];
  /** How far ours lies outside what the references span; 0 within. */
  readonly beyond: number;
}

/** One of our builds beside the references of the same architecture. */
export interface BuildComparison {
  readonly build: string;
  readonly functionName: string;
  readonly references: readonly string[];
  readonly figures: readonly MixComparison[];
}

/** The loop in which a build spends its time: that of the most products a turn; the others do what is left over. */
const hottestLoop = ({ loops }: BuildFacts): ProductLoopFacts =>
  at(
    loops.toSorted((a, b) => (b.productsPerTurn ?? 0) - (a.productsPerTurn ?? 0)),
    0,
  );

/** Of a loop of vectors nobody can say how many products a turn makes: then a turn stands for one. */
const perProduct = (loop: ProductLoopFacts, count: number): number => count / (loop.productsPerTurn ?? 1);

const beyond = (ours: number, references: readonly number[]): number =>
  Math.max(0, ours - Math.max(...references)) + Math.min(0, ours - Math.min(...references));

/** Each build of ours that some reference of its architecture can be compared with. */
export const compareBuilds = (
  ours: readonly BuildFacts[],
  references: readonly BuildFacts[],
): readonly BuildComparison[] =>
  ours.flatMap((build) => {
    const peers = references.filter(({ architecture }) => architecture === build.architecture);
    if (peers.length === 0) return [];
    const loop = hottestLoop(build);
    const loops = peers.map(hottestLoop);
    return [
      {
        build: build.build,
        functionName: loop.functionName,
        references: peers.map((peer) => peer.build),
        figures: MIX_FIGURES.map(({ id, label, of }) => {
          const own = perProduct(loop, of(loop));
          const others = loops.map((one) => perProduct(one, of(one)));
          return { figure: id, label, ours: own, references: others, beyond: beyond(own, others) };
        }),
      },
    ];
  });
