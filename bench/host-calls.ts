/** What the building blocks cost on each engine: a host call, a hand-over between two threads, a product. */
import { ENGINES, testBench, testMemory, type EngineUnderTest } from "../test/helpers/engines.js";

/** Nanoseconds per operation. */
export interface Cost {
  readonly engine: string;
  readonly what: string;
  readonly nsec: number;
}

const CALLS = ["clock", "getcpu", "futex wake of nobody", "pause"] as const;
const ROUNDS = 200_000;
const HAND_OVERS = 20_000;

const callCosts = async (engine: EngineUnderTest): Promise<readonly Cost[]> => {
  const costs: Cost[] = [];
  for (const [which, what] of CALLS.entries()) {
    const bench = testBench(engine, 1);
    bench.start(0, "bench_host_call", [which, ROUNDS]);
    await bench.run();
    costs.push({ engine: engine.name, what, nsec: bench.loops(0) / ROUNDS });
  }
  return costs;
};

const handOverCost = async (engine: EngineUnderTest): Promise<Cost> => {
  const bench = testBench(engine, 2);
  bench.partner(0, 1);
  bench.partner(1, 0);
  bench.start(0, "test_hand_over", [HAND_OVERS, 1]);
  bench.start(1, "test_hand_over", [HAND_OVERS, 0]);
  const started = performance.now();
  await bench.run();
  return { engine: engine.name, what: "hand-over", nsec: ((performance.now() - started) * 1e6) / (2 * HAND_OVERS) };
};

const productCost = (engine: EngineUnderTest, side: number): Cost => {
  const memory = testMemory(4 << 20);
  const { doSomeMath } = engine.functions(memory);
  const repeats = Math.ceil(2e8 / side ** 3);
  doSomeMath(65_536, side);
  const started = performance.now();
  for (let i = 0; i < repeats; i++) doSomeMath(65_536, side);
  const nsec = ((performance.now() - started) * 1e6) / repeats / side ** 3;
  return { engine: engine.name, what: `product, side ${side}, per k`, nsec };
};

/** All costs on all engines of this machine. */
export const hostCosts = async (): Promise<readonly Cost[]> => {
  const costs: Cost[] = [];
  for (const engine of ENGINES) {
    costs.push(...(await callCosts(engine)), await handOverCost(engine));
    for (const side of [52, 104, 209]) costs.push(productCost(engine, side));
  }
  return costs;
};
