/**
 * CPU lists, `0-3,8`: from text and to text, for any CPU ids. No mask of a fixed size is involved.
 *
 * Upstream counterpart: parse_cpuset.
 */
import { UsageError } from "../../errors.js";

/** Highest CPU id that a list may name: far above any kernel's limit, so that a typing error cannot exhaust memory. */
export const MAX_CPU_ID = 1_048_575;

/** Outcome of reading a CPU list: ascending ids without repeats, or what is wrong with the text. */
export type CpuListReading =
  | { readonly cpus: readonly number[]; readonly problem: null }
  | { readonly cpus: null; readonly problem: string };

const RANGE = /^(\d+)(?:-(\d+))?$/;

const refuse = (problem: string): CpuListReading => ({ cpus: null, problem });

/** Reads a CPU list without throwing; for callers that add what the list was for. */
export const readCpuList = (text: string): CpuListReading => {
  const cpus = new Set<number>();
  for (const part of text.split(",")) {
    const [, firstText, lastText] = RANGE.exec(part) ?? [];
    if (firstText === undefined) return refuse("a list of CPUs such as 0-3,8");
    const first = Number(firstText);
    const last = Number(lastText ?? firstText);
    if (last < first) return refuse(`ranges that rise, such as ${last}-${first}`);
    if (last > MAX_CPU_ID) return refuse(`CPU ids up to ${MAX_CPU_ID}`);
    for (let cpu = first; cpu <= last; cpu++) cpus.add(cpu);
  }
  return { cpus: [...cpus].toSorted((a, b) => a - b), problem: null };
};

/**
 * The CPUs of a list such as `0-3,8`: ascending ids without repeats.
 *
 * @throws UsageError when the text is not a CPU list
 */
export const parseCpuList = (text: string): readonly number[] => {
  const { cpus, problem } = readCpuList(text);
  if (cpus === null) throw new UsageError(`invalid CPU list "${text}": allowed is ${problem}`);
  return cpus;
};

/** The shortest list that names these CPUs, in the kernel's own form: `0-3,8`; empty for none. */
export const formatCpuList = (cpus: readonly number[]): string => {
  const runs: { first: number; last: number }[] = [];
  for (const cpu of [...new Set(cpus)].toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && run.last === cpu - 1) run.last = cpu;
    else runs.push({ first: cpu, last: cpu });
  }
  return runs.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
};
