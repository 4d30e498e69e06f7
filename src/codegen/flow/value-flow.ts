/**
 * Follows values through a loop's blocks: which registers hold something loaded, which a product of two loaded values,
 * which a sum that contains such a product.
 */
import { type Effect, registersOf } from "../instructions/effect.js";
import type { MemoryOperand, Operand } from "../instructions/instruction.js";
import type { Step } from "./program.js";

/** What is known of a value. */
export interface Value {
  /** Indices of the steps that loaded it (or its parts). */
  readonly loadedBy: ReadonlySet<number>;
  /** Indices of the multiplies that went into it. */
  readonly products: ReadonlySet<number>;
  /** It has been through an addition since it was a product. */
  readonly summed: boolean;
}

/** What a walk over a loop has found; indices are those of the steps given. */
export interface ValueFlow {
  /** Scalar multiplies of two loaded values. */
  readonly products: ReadonlySet<number>;
  /** Vector multiplies of two loaded values. */
  readonly vectorProducts: ReadonlySet<number>;
  /** Multiplies whose product was added to something. */
  readonly summedProducts: ReadonlySet<number>;
  /** Additions of a product to something. */
  readonly summing: ReadonlySet<number>;
  /** Loads that feed these products. */
  readonly feedingLoads: ReadonlySet<number>;
  /** Stores of a sum of products to memory other than the stack. */
  readonly resultStores: ReadonlySet<number>;
  /** Registers that hold a sum of products when the loop is left. */
  readonly sums: readonly string[];
}

const NOTHING: Value = { loadedBy: new Set(), products: new Set(), summed: false };

const merge = (values: readonly Value[]): Value => ({
  loadedBy: new Set(values.flatMap((value) => [...value.loadedBy])),
  products: new Set(values.flatMap((value) => [...value.products])),
  summed: values.some((value) => value.summed),
});

/** Walks the steps, which must be in an order in which they can run, twice: the second time round carries sums over. */
export const followValues = (steps: readonly Step[], isStack: (place: MemoryOperand) => boolean): ValueFlow => {
  const registers = new Map<string, Value>();
  const products = new Set<number>();
  const vectorProducts = new Set<number>();
  const summedProducts = new Set<number>();
  const summing = new Set<number>();
  const feedingLoads = new Set<number>();
  const resultStores = new Set<number>();

  const valueOf = (operand: Operand, at: number): Value => {
    if (operand.kind === "register") return registers.get(operand.name) ?? NOTHING;
    if (operand.kind !== "memory" || isStack(operand)) return NOTHING;
    return { ...NOTHING, loadedBy: new Set([at]) };
  };
  const productOf = (effect: Effect, sources: readonly Value[], at: number): Value => {
    if (sources.length < 2 || sources.some((value) => value.loadedBy.size === 0)) return NOTHING;
    (effect.operation === "multiply" ? products : vectorProducts).add(at);
    for (const value of sources) for (const load of value.loadedBy) feedingLoads.add(load);
    return { loadedBy: new Set(), products: new Set([at]), summed: false };
  };
  const sumOf = (values: readonly Value[], at: number): Value => {
    const all = merge(values);
    if (all.products.size > 0) summing.add(at);
    for (const product of all.products) summedProducts.add(product);
    return { ...all, loadedBy: new Set(), summed: all.products.size > 0 };
  };
  const resultOf = ({ effect, instruction }: Step, at: number): Value => {
    const sources = effect.sources.map((operand) => valueOf(operand, at));
    const { operation } = effect;
    if (operation === "copy" || operation === "vector") return merge(sources);
    if (operation === "add") return sumOf(sources, at);
    if (operation !== "multiply" && operation !== "vector-multiply") return NOTHING;
    if (operation === "multiply" && instruction.bits !== 64) return NOTHING;
    const product = productOf(effect, sources, at);
    return effect.addend === null ? product : sumOf([product, valueOf(effect.addend, at)], at);
  };

  for (let turn = 1; turn <= 2; turn++) {
    for (const [at, step] of steps.entries()) {
      const { effect } = step;
      const result = resultOf(step, at);
      for (const { place, value } of effect.stores) {
        if (isStack(place)) continue;
        const stored = effect.operation === "add" ? result : merge(value.map((operand) => valueOf(operand, at)));
        if (stored.summed) resultStores.add(at);
      }
      for (const name of effect.clobbers) registers.delete(name);
      for (const name of effect.writes) registers.set(name, result);
    }
  }
  const sums = [...registers].filter(([, value]) => value.summed).map(([name]) => name);
  return { products, vectorProducts, summedProducts, summing, feedingLoads, resultStores, sums };
};

/** Registers that a step reads, for its value or its addresses. */
export const readsOf = (step: Step): readonly string[] => [
  ...step.effect.reads,
  ...step.effect.stores.flatMap(({ value }) => value.flatMap(registersOf)),
];
