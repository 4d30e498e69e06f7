/** Waits after a boot until services have settled: by what the doctor calls other load. */
import { availableParallelism } from "node:os";
import { othersTolerated } from "../../platform/machine/environment-warnings.js";
import { environmentBetween, type EnvironmentReading, readEnvironment } from "../../platform/machine/environment.js";
import { busiestBetween, readProcessTimes } from "../../platform/threads/process-times.js";
import { USEC_PER_SEC } from "../../units.js";
import type { RebootSystem } from "./system.js";

/** A machine that others leave alone for so many seconds in a row is quiet. */
const QUIET_SEC = 5;
/** So many of the busiest processes are named. */
const NAMED_PROCESSES = 3;

const readNow = ({ files, nowMsec }: RebootSystem): EnvironmentReading => {
  const { user, system } = process.cpuUsage();
  const clocks = { nowSec: nowMsec() / 1000, ownCpuSec: (user + system) / USEC_PER_SEC, suspendedSec: 0 };
  return readEnvironment(files, clocks, null);
};

/**
 * Waits until the machine is quiet.
 *
 * @param limitSec after which it is taken as it is; 0: at once
 * @returns null: it is; else who is busy, as a clause
 */
export const waitUntilQuiet = async (
  system: RebootSystem,
  limitSec: number,
  signal: AbortSignal,
): Promise<string | null> => {
  if (limitSec === 0) return null;
  const cpus = availableParallelism();
  let quietSec = 0;
  let busy = "";
  for (let waited = 0; quietSec < QUIET_SEC; waited++) {
    if (waited >= limitSec) return busy;
    const [before, times] = [readNow(system), readProcessTimes(system.files)];
    await system.sleep(1000, signal);
    const { othersCpus } = environmentBetween(before, readNow(system), cpus);
    if (othersCpus === null || othersCpus < othersTolerated(cpus)) quietSec++;
    else {
      quietSec = 0;
      const names = busiestBetween(times, readProcessTimes(system.files), process.pid)
        .slice(0, NAMED_PROCESSES)
        .map(({ name, pid }) => `${name} (${pid})`);
      busy = `other processes use ${othersCpus.toFixed(2)} CPUs${names.length === 0 ? "" : `: ${names.join(", ")}`}`;
    }
  }
  return null;
};
