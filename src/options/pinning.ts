/**
 * From `-M` and `-W` to the CPUs of every thread. Masks are inherited from the creating thread, so `-W` alone moves the
 * message threads too; `-M` alone moves only them, for they pin themselves after starting their workers.
 *
 * Upstream counterpart: thread_auto_pin, pin_message_cpu, pin_worker_cpus.
 */
import { UsageError } from "../errors.js";
import { formatCpuList } from "./cpu-list.js";

/** What was asked: CPU ids, "auto", or null for no pinning. */
export type CpuChoice = readonly number[] | "auto" | null;

/** CPUs of every thread; null: as this process. */
export interface Pinning {
  /** One CPU list per message thread. */
  readonly messageCpus: readonly (readonly number[])[] | null;
  /** One list for all workers. */
  readonly workerCpus: readonly number[] | null;
  readonly isAuto: boolean;
  /** What to tell the user about pinned message threads, a line each. */
  readonly messageLines: readonly string[];
}

const pinnedLines = (messageCpus: readonly (readonly number[])[]) =>
  messageCpus.map((cpus, index) => `Pinning to message thread index ${index} cpu ${formatCpuList(cpus)}`);

const nthOf = (cpus: readonly number[], index: number) => cpus.slice(index % cpus.length, (index % cpus.length) + 1);

const autoPinning = (messageThreads: number, allowedCpus: readonly number[]): Pinning => {
  const messageCpus = Array.from({ length: messageThreads }, (_, index) => nthOf(allowedCpus, index));
  const workerCpus = allowedCpus.slice(messageThreads);
  if (workerCpus.length === 0)
    throw new UsageError(
      `cannot pin with "auto": ${messageThreads} message thread${messageThreads === 1 ? "" : "s"} and the workers need ` +
        `${messageThreads + 1} CPUs, this process may use ${formatCpuList(allowedCpus)}`,
      "Use fewer message threads (-m), or name CPUs with -M and -W.",
    );
  return { messageCpus, workerCpus, isAuto: true, messageLines: pinnedLines(messageCpus) };
};

const checkAllowed = (who: string, cpus: readonly number[], allowedCpus: readonly number[]): void => {
  const allowed = new Set(allowedCpus);
  if (cpus.every((cpu) => allowed.has(cpu))) return;
  throw new UsageError(
    `cannot pin ${who} threads to CPUs "${formatCpuList(cpus)}": this process may use ${formatCpuList(allowedCpus)}`,
    "Name only CPUs that it may use, or widen its own mask (taskset, cpuset).",
  );
};

const refuseMixture = (auto: "-M" | "-W", other: "-M" | "-W", cpus: CpuChoice): void => {
  if (cpus === null || cpus === "auto") return;
  throw new UsageError(
    `cannot combine ${auto} auto with ${other} "${formatCpuList(cpus)}": auto decides the CPUs of all threads`,
    "Name CPUs with both -M and -W, or give auto alone.",
  );
};

/**
 * Decides the CPUs of every thread.
 *
 * @param allowedCpus ascending ids of the CPUs that this process may use
 * @throws UsageError for a CPU that it may not use, or when auto leaves none for the workers
 */
export const resolvePinning = (
  messageThreads: number,
  message: CpuChoice,
  worker: CpuChoice,
  allowedCpus: readonly number[],
): Pinning => {
  if (message === "auto") refuseMixture("-M", "-W", worker);
  if (worker === "auto") refuseMixture("-W", "-M", message);
  if (message === "auto" || worker === "auto") return autoPinning(messageThreads, allowedCpus);
  if (message !== null) checkAllowed("message", message, allowedCpus);
  if (worker !== null) checkAllowed("worker", worker, allowedCpus);
  if (message !== null) {
    const messageCpus = Array.from({ length: messageThreads }, (_, index) => nthOf(message, index));
    return { messageCpus, workerCpus: worker, isAuto: false, messageLines: pinnedLines(messageCpus) };
  }
  const inherited = worker === null ? null : Array.from({ length: messageThreads }, () => worker);
  return { messageCpus: inherited, workerCpus: worker, isAuto: false, messageLines: [] };
};
