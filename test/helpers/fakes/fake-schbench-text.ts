/** The text that schbench prints, made of a few figures. */

/** What the made-up run was like. */
export interface FakeText {
  /** Factor on all times. */
  readonly scale: number;
  readonly runtimeSec: number;
  readonly pipeBytes: number;
  readonly rate: number;
  readonly capacity: number;
  readonly autoTarget: number;
  readonly reachesTarget: boolean;
}

const row = (mark: string, percentile: string, value: number, samples: number): string =>
  `\t${mark} ${percentile}th: ${String(value).padEnd(10)} (${samples} samples)\n`;

const latencyTable = (title: string, base: number, samples: number, seconds: number, withP20 = false): string => {
  const [p20, p50, p90, p99, p999] = [0.9, 1, 1.3, 1.8, 2.4].map((factor) => Math.round(base * factor));
  const counts = [0.2, 0.3, 0.4, 0.09].map((share) => Math.floor(samples * share));
  const [c20 = 0, c30 = 0, c90 = 0, c99 = 0] = counts;
  return [
    `${title} Latencies percentiles (usec) runtime ${seconds} (s) (${samples} total samples)\n`,
    withP20 ? row(" ", "20.0", p20 ?? 0, c20) : "",
    row(" ", "50.0", p50 ?? 0, c30),
    row(" ", "90.0", p90 ?? 0, c90),
    row("*", "99.0", p99 ?? 0, c99),
    row(" ", "99.9", p999 ?? 0, samples - (withP20 ? c20 : 0) - c30 - c90 - c99),
    `\t  min=${Math.round(base * 0.8)}, max=${Math.round(base * 3)}\n`,
  ].join("");
};

const rpsTable = (rps: number, seconds: number, empty: boolean): string => {
  const samples = empty ? 0 : seconds;
  const value = (factor: number) => (empty ? 0 : Math.round(rps * factor));
  const low = Math.min(1, samples);
  const middle = Math.min(1, samples - low);
  return [
    `RPS percentiles (requests) runtime ${seconds} (s) (${samples} total samples)\n`,
    row(" ", "20.0", value(0.99), low),
    row("*", "50.0", value(1), middle),
    row(" ", "90.0", value(1.01), samples - low - middle),
    `\t  min=${value(0.98)}, max=${value(1.02)}\n`,
  ].join("");
};

/** The final report. */
export const schbenchText = (fake: FakeText): string => {
  const { scale, runtimeSec, pipeBytes, rate, capacity, autoTarget, reachesTarget } = fake;
  if (pipeBytes > 0) {
    const ops = 139_398 / scale;
    return `${latencyTable("Wakeup", 50 * scale, 27_890, runtimeSec, true)}avg worker transfer: ${ops.toFixed(2)} ops/sec ${((ops * pipeBytes) / 1024 / 1024).toFixed(2)}MB/s\n`;
  }
  const served = rate > 0 ? Math.min(rate, capacity / scale) : capacity / scale;
  const samples = Math.round(served * runtimeSec);
  const missed = autoTarget > 0 && !reachesTarget;
  return [
    latencyTable("Wakeup", 50 * scale, samples, runtimeSec),
    latencyTable("Request", 5000 * scale, samples, runtimeSec),
    rpsTable(served, runtimeSec, missed),
    autoTarget > 0
      ? `final rps goal was ${missed ? 2_000_000 : Math.round(served)}\n`
      : `average rps: ${served.toFixed(2)}\n`,
    "sched delay: message 0 (usec) worker 0 (usec)\n",
  ].join("");
};
