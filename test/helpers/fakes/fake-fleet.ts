/** Runs of several machines and boots whose scatter and effects are known, for tests of blocks. */
import type { HostFacts, RunResult } from "../../../src/model/result/run-result.js";
import { type Random, seededRandom } from "../../../src/stats/random.js";
import { fakeResult } from "./fake-result.js";

/** Standard normal. */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());

/** The facts of a made-up machine. */
export const fakeHost = (hostname: string, more: Partial<HostFacts> = {}): HostFacts => ({
  hostname,
  kernel: "6.18.1",
  schedExt: "disabled",
  cpuModel: "Test CPU 9000",
  cpusOnline: 8,
  cpusAllowed: "0-7",
  governor: "performance",
  smt: "on",
  transparentHugepage: "madvise",
  virtualization: null,
  container: null,
  cgroupCpuMax: null,
  loadAverage1: 0.1,
  memoryTotalKib: 16_000_000,
  node: "v20.19.0",
  v8: "11.3",
  ...more,
});

/** Where a made-up run is made, and how it comes out. */
export interface FakePlace {
  readonly machine: string;
  readonly boot: string;
  /** Multiplies every latency. */
  readonly factor: number;
  /** Scatter of a run, as a standard deviation of logarithms. */
  readonly runScatter: number;
  /** Of each kind; the slowest twentieth makes the tail. */
  readonly samples?: number;
  readonly startedAt?: string;
  readonly host?: Partial<HostFacts>;
}

/** One run: latencies about 5 ms, rates to match. */
export const placedRun = (
  random: Random,
  { machine, boot, factor, runScatter, samples = 400, startedAt, host }: FakePlace,
): RunResult => {
  const scale = factor * Math.exp(runScatter * normal(random));
  // The tail scatters more than the middle, and not quite with it.
  const tail = scale * Math.exp(runScatter * normal(random));
  const requestUsec = Array.from({ length: samples }, (_, index) =>
    Math.round(4000 * (index < samples * 0.95 ? scale : 1.5 * tail) + index),
  );
  const wakeupUsec = Array.from(
    { length: samples },
    (_, index) => Math.round((index < samples * 0.95 ? 40 : 90) * tail) + (index % 5),
  );
  const rate = Math.round(2000 / scale);
  return fakeResult(
    { requestUsec, wakeupUsec, rps: [rate, rate + 1], averageRps: rate },
    {
      runtimeSec: 10,
      startedAt: startedAt ?? null,
      host: fakeHost(machine, host),
      origin: { bootId: boot, kernel: "6.18.1", hostname: machine, version: "1.0.0" },
    },
  );
};

/** Times that rise by some seconds from call to call. */
export const clockFrom = (iso: string): ((seconds: number) => string) => {
  let msec = Date.parse(iso);
  return (seconds) => {
    msec += seconds * 1000;
    return new Date(msec).toISOString();
  };
};

/** Machines that run a base and a patched subject in turn; each has a speed and an effect of its own. */
export const fakeFleet = (
  effects: readonly number[],
  {
    runs = 6,
    seed = 1,
    host,
  }: { readonly runs?: number; readonly seed?: number; readonly host?: (machine: number) => Partial<HostFacts> } = {},
): readonly {
  readonly name: string;
  readonly subjects: readonly { readonly name: string; readonly runs: readonly RunResult[] }[];
}[] => {
  const random = seededRandom(seed);
  return effects.map((effect, machine) => {
    const speed = Math.exp(0.2 * normal(random));
    const clock = clockFrom("2026-11-01T10:00:00.000Z");
    const name = `node${machine + 1}`;
    const one = (factor: number): RunResult =>
      placedRun(random, {
        machine: name,
        boot: `boot-of-${name}`,
        factor: speed * factor,
        runScatter: 0.02,
        startedAt: clock(11),
        host: host?.(machine) ?? {},
      });
    const pairs = Array.from({ length: runs }, () => [one(1), one(1 + effect)] as const);
    return {
      name,
      subjects: [
        { name: "base", runs: pairs.map(([base]) => base) },
        { name: "patched", runs: pairs.map(([, patched]) => patched) },
      ],
    };
  });
};

/** Subjects that each have boots of their own on one machine, as kernels do. */
export const fakeBoots = (
  boots: number,
  runs: number,
  scatter: { readonly boot: number; readonly run: number },
  {
    effect = 0,
    seed = 1,
    random = seededRandom(seed),
    samples = 400,
  }: { readonly effect?: number; readonly seed?: number; readonly random?: Random; readonly samples?: number } = {},
): readonly { readonly name: string; readonly runs: readonly RunResult[] }[] => {
  const clock = clockFrom("2026-11-01T10:00:00.000Z");
  const sides: { name: string; runs: RunResult[] }[] = [
    { name: "old", runs: [] },
    { name: "new", runs: [] },
  ];
  for (let boot = 0; boot < boots; boot++)
    sides.forEach((side, index) => {
      const factor = (index === 0 ? 1 : 1 + effect) * Math.exp(scatter.boot * normal(random));
      clock(40);
      for (let run = 0; run < runs; run++)
        side.runs.push(
          placedRun(random, {
            machine: "lab",
            boot: `${side.name}-${boot}`,
            factor,
            runScatter: scatter.run,
            samples,
            startedAt: clock(11),
          }),
        );
    });
  return sides;
};
