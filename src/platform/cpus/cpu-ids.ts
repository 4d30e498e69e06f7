/**
 * CPU lists as the kernel writes them (`0-3,8,10-11`). What a user writes is parsed in options/cpu-list, with errors;
 * here the writer is the kernel, and a text that is no such list is simply no CPU.
 */
import { fieldOf, type Files } from "../files.js";

/**
 * The CPU ids in a kernel list, in its order. Ids may have gaps and need not start at 0.
 *
 * @param text such as `0-3,8`; null, an empty text and `(null)` name no CPU
 */
export const cpuIdsOf = (text: string | null): readonly number[] => {
  const ids: number[] = [];
  for (const part of text?.trim().split(",") ?? []) {
    const match = /^(\d+)(?:-(\d+))?$/u.exec(part.trim());
    if (match?.[1] === undefined) continue;
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : Number(match[2]);
    for (let id = first; id <= last; id++) ids.push(id);
  }
  return ids;
};

/** The mask of the calling thread, which an engine started from it inherits; ascending. */
export const readAllowedCpus = (files: Files): readonly number[] =>
  cpuIdsOf(fieldOf(files.readText("/proc/thread-self/status", 8192) ?? "", "Cpus_allowed_list"));
