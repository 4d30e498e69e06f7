/**
 * Stores of many runs, the same for the same seed:
 *   node dist/bench/large-stores.js FILE [--runs N] [--seconds S] [--cells N] [--machines N] [--seed N]
 *
 * Two subjects in turn, N runs in all, S seconds each; the second is 1 % slower. Of 30 seconds a run has about 20 KB. Several cells are a
 * sweep over t=1 … N. Several machines take turns: each is a little faster or slower than the others, and has a name of its own.
 */
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cellNamed, fakeHeader, fakeRecord } from "../test/helpers/fakes/fake-store.js";
import { fakeRun } from "../test/helpers/render/render-results.js";

/** What a store is made of. */
export interface LargeStore {
  readonly runs: number;
  readonly seconds: number;
  readonly cells: number;
  readonly machines: number;
  readonly seed: number;
}

const FIRST_START = Date.UTC(2026, 0, 1);
const MINUTE_MSEC = 60_000;
const SUBJECTS = ["a", "b"] as const;

/** The lines of a store. */
export function* largeStore({ runs, seconds, cells: count, machines, seed }: LargeStore): Generator<string> {
  const cells = count < 2 ? [cellNamed("x")] : Array.from({ length: count }, (_, index) => cellNamed(`t=${index + 1}`));
  const perRound = SUBJECTS.length * cells.length;
  yield JSON.stringify(fakeHeader({ cells, rounds: Math.ceil(runs / perRound) }));
  for (let run = 0; run < runs; run++) {
    const round = Math.floor(run / perRound) + 1;
    const order = run % perRound;
    const slower = order % SUBJECTS.length;
    const [subject, cell] = [SUBJECTS[slower] ?? "a", cells[Math.floor(order / SUBJECTS.length)]?.name ?? "x"];
    const machine = Math.floor(run / perRound) % machines;
    // All machines begin a round together.
    const startedAt = new Date(
      FIRST_START + (Math.floor((round - 1) / machines) * perRound + order) * MINUTE_MSEC,
    ).toISOString();
    const result = fakeRun({
      seed: seed + run,
      seconds,
      startedAt,
      requestUsec: 4900 * (1 + slower / 100) * (1 + (machine % 20) / 1000),
      hostname: `machine-${machine + 1}`,
    });
    yield JSON.stringify(
      fakeRecord(subject, cell, round, { startedAt, result, slot: { subject, cell, round, order } }),
    );
  }
}

/** Writes a store, however large. */
export const writeLargeStore = async (path: string, store: LargeStore): Promise<void> => {
  const file = createWriteStream(path);
  for (const line of largeStore(store)) if (!file.write(`${line}\n`)) await once(file, "drain");
  file.end();
  await once(file, "finish");
};

const whole = { type: "string" } as const;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      runs: { ...whole, default: "1000" },
      seconds: { ...whole, default: "30" },
      cells: { ...whole, default: "1" },
      machines: { ...whole, default: "1" },
      seed: { ...whole, default: "1" },
    },
  });
  const [path] = positionals;
  if (path === undefined) throw new Error("FILE is missing");
  await writeLargeStore(path, {
    runs: Number(values.runs),
    seconds: Number(values.seconds),
    cells: Number(values.cells),
    machines: Number(values.machines),
    seed: Number(values.seed),
  });
}
