/**
 * Which limits bound the number of threads, and how near they are: for the one error that says why a thread could not
 * be created. Reading them walks /proc, so they are read when a thread has failed, not before.
 */
import { EngineError } from "../errors.js";
import { cgroupFolders } from "./cgroup.js";
import { type Files, fieldOf, readNumber } from "./files.js";

/** A limit on the number of threads, with the number in use where it can be counted. */
export interface ThreadLimit {
  /** As a person would look it up: `RLIMIT_NPROC (ulimit -u)`. */
  readonly name: string;
  readonly max: number;
  readonly inUse: number | null;
  /** How to raise it, as a full sentence. */
  readonly remedy: string;
}

/** Capability bits that lift RLIMIT_NPROC: CAP_SYS_ADMIN and CAP_SYS_RESOURCE. */
const LIFTING_BITS = (1n << 21n) | (1n << 24n);

const threadsOfUser = (files: Files, uid: string): number => {
  let threads = 0;
  for (const name of files.list("/proc")) {
    if (!/^\d+$/u.test(name)) continue;
    const status = files.readText(`/proc/${name}/status`);
    if (status === null || fieldOf(status, "Uid")?.split(/\s+/u)[0] !== uid) continue;
    threads += Number(fieldOf(status, "Threads") ?? 1);
  }
  return threads;
};

const userLimit = (files: Files): readonly ThreadLimit[] => {
  const max = /^Max processes\s+(\d+)/mu.exec(files.readText("/proc/self/limits") ?? "")?.[1];
  const status = files.readText("/proc/self/status") ?? "";
  const uid = fieldOf(status, "Uid")?.split(/\s+/u)[0];
  const capabilities = fieldOf(status, "CapEff");
  if (max === undefined || uid === undefined) return [];
  if (uid === "0" || (capabilities !== null && (BigInt(`0x${capabilities}`) & LIFTING_BITS) !== 0n)) return [];
  return [
    {
      name: "RLIMIT_NPROC (ulimit -u)",
      max: Number(max),
      inUse: threadsOfUser(files, uid),
      remedy: "Raise it with `ulimit -u`, or in /etc/security/limits.conf; it counts all threads of your user.",
    },
  ];
};

const groupLimits = (files: Files): readonly ThreadLimit[] =>
  (cgroupFolders(files, "pids")?.folders ?? []).flatMap((folder) => {
    const max = readNumber(files, `${folder}/pids.max`);
    if (max === null) return [];
    return [
      {
        name: `pids.max of the control group ${folder}`,
        max,
        inUse: readNumber(files, `${folder}/pids.current`),
        remedy:
          "Raise it where the group is made: TasksMax= (systemd), --pids-limit (container), podPidsLimit (kubelet).",
      },
    ];
  });

const kernelLimits = (files: Files): readonly ThreadLimit[] => {
  const inUse = /^\S+ \S+ \S+ \d+\/(\d+) /u.exec(files.readText("/proc/loadavg", 256) ?? "")?.[1];
  return ["kernel.threads-max", "kernel.pid_max"].flatMap((name) => {
    const max = readNumber(files, `/proc/sys/${name.replaceAll(".", "/")}`);
    if (max === null) return [];
    return [
      { name, max, inUse: inUse === undefined ? null : Number(inUse), remedy: `Raise it with \`sysctl ${name}=N\`.` },
    ];
  });
};

const leftOf = (limit: ThreadLimit): number => limit.max - (limit.inUse ?? 0);

/** The limits on the number of threads of this process, the nearest first. */
export const threadLimits = (files: Files): readonly ThreadLimit[] =>
  [...userLimit(files), ...groupLimits(files), ...kernelLimits(files)].toSorted((a, b) => leftOf(a) - leftOf(b));

/** A limit with fewer threads left than this is taken to be the one that was hit: others come and go meanwhile. */
const HIT_WHEN_LEFT = 16;

/**
 * Pure: the error for a thread that could not be created.
 *
 * @param started threads that had been created by then
 * @param wanted threads that the plan asks for
 * @param limits of `threadLimits`, read while the created threads were still there
 */
export const threadsNotCreated = (started: number, wanted: number, limits: readonly ThreadLimit[]): EngineError => {
  const what = `a thread could not be created: ${started} of ${wanted} started`;
  const [nearest] = limits;
  if (nearest === undefined)
    return new EngineError(what, "Use fewer threads (-m, -t), or look at the limits of this system.");
  const used = nearest.inUse === null ? "" : `, ${nearest.inUse} in use`;
  return leftOf(nearest) < HIT_WHEN_LEFT
    ? new EngineError(`${what}; the limit ${nearest.name} was hit (${nearest.max}${used})`, nearest.remedy)
    : new EngineError(
        `${what}; the nearest known limit is ${nearest.name} (${nearest.max}${used}), so memory may be what is short`,
        "Use fewer threads (-m, -t) or free memory; a limit of address space (ulimit -v) would show like this, too.",
      );
};
