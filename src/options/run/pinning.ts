/**
 * From `-M` and `-W` to the CPUs of every thread. Masks are inherited from the creating thread, so `-W` alone moves the
 * message threads too; `-M` alone moves only them, for they pin themselves after starting their workers.
 *
 * Upstream counterpart: thread_auto_pin, pin_message_cpu, pin_worker_cpus.
 */
import { UsageError } from "../../errors.js";
import { formatCpuList } from "../values/cpu-list.js";

/** What was asked: CPU ids, "auto", or null for no pinning. */
export type CpuChoice = readonly number[] | "auto" | null;

/** The CPUs of this machine, as pinning looks at them. */
export interface PinnableCpus {
  /** Ascending ids of the CPUs in the mask of this process: what `auto` and the default number of workers count. */
  readonly allowedCpus: readonly number[];
  /**
   * Why no thread can be put on a CPU, in words that end a sentence, and the remedy; null: it can. The mask is no reason, a
   * thread may ask for more.
   */
  readonly refusalOf: (cpu: number) => { readonly reason: string; readonly remedy: string } | null;
}

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
        `${messageThreads + 1} CPUs, the mask of this process has ${formatCpuList(allowedCpus)}`,
      "Use fewer message threads (-m), or name CPUs with -M and -W.",
    );
  return { messageCpus, workerCpus, isAuto: true, messageLines: pinnedLines(messageCpus) };
};

/**
 * Checks that threads can be put on CPUs.
 *
 * @param who such as `message`, for the error
 * @throws UsageError for a CPU that none can be put on
 */
export const checkReachable = (who: string, cpus: readonly number[], { refusalOf }: PinnableCpus): void => {
  for (const cpu of cpus) {
    const refusal = refusalOf(cpu);
    if (refusal === null) continue;
    throw new UsageError(
      `cannot pin ${who} threads to CPUs "${formatCpuList(cpus)}": ${refusal.reason}`,
      refusal.remedy,
    );
  }
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
 * @throws UsageError for a CPU that no thread can be put on, or when auto leaves none for the workers
 */
export const resolvePinning = (
  messageThreads: number,
  message: CpuChoice,
  worker: CpuChoice,
  here: PinnableCpus,
): Pinning => {
  if (message === "auto") refuseMixture("-M", "-W", worker);
  if (worker === "auto") refuseMixture("-W", "-M", message);
  if (message === "auto" || worker === "auto") return autoPinning(messageThreads, here.allowedCpus);
  if (message !== null) checkReachable("message", message, here);
  if (worker !== null) checkReachable("worker", worker, here);
  if (message !== null) {
    const messageCpus = Array.from({ length: messageThreads }, (_, index) => nthOf(message, index));
    return { messageCpus, workerCpus: worker, isAuto: false, messageLines: pinnedLines(messageCpus) };
  }
  const inherited = worker === null ? null : Array.from({ length: messageThreads }, () => worker);
  return { messageCpus: inherited, workerCpus: worker, isAuto: false, messageLines: [] };
};
