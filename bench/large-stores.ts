/**
 * Stores of many runs, the same for the same seed:
 *   node dist/bench/large-stores.js FILE [--runs N] [--seconds S] [--seed N]
 *
 * Two subjects in turn, N runs in all, S seconds each (10: about 22 KB a run); the second is 1 % slower.
 */
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fakeHeader, fakeRecord } from "../test/helpers/fake-store.js";
import { fakeRun } from "../test/helpers/render-results.js";

/** What a store is made of. */
export interface LargeStore {
  readonly runs: number;
  readonly seconds: number;
  readonly seed: number;
}

const FIRST_START = Date.UTC(2026, 0, 1);
const MINUTE_MSEC = 60_000;
const SUBJECTS = ["a", "b"] as const;

/** The lines of a store. */
export function* largeStore({ runs, seconds, seed }: LargeStore): Generator<string> {
  yield JSON.stringify(fakeHeader({ rounds: Math.ceil(runs / SUBJECTS.length) }));
  for (let run = 0; run < runs; run++) {
    const order = run % SUBJECTS.length;
    const subject = SUBJECTS[order] ?? "a";
    const round = Math.floor(run / SUBJECTS.length) + 1;
    const startedAt = new Date(FIRST_START + run * MINUTE_MSEC).toISOString();
    const result = fakeRun({ seed: seed + run, seconds, startedAt, requestUsec: 4900 * (1 + order / 100) });
    yield JSON.stringify(
      fakeRecord(subject, "x", round, { startedAt, result, slot: { subject, cell: "x", round, order } }),
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      runs: { type: "string", default: "1000" },
      seconds: { type: "string", default: "10" },
      seed: { type: "string", default: "1" },
    },
  });
  const [path] = positionals;
  if (path === undefined) throw new Error("FILE is missing");
  await writeLargeStore(path, {
    runs: Number(values.runs),
    seconds: Number(values.seconds),
    seed: Number(values.seed),
  });
}
