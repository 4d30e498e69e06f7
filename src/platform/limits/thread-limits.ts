/**
 * Which limits bound the number of threads, and how near they are: for the error that refuses more than can be had, and for the
 * one that says why a thread could not be created. Reading them walks /proc for a user who is not root, so they are read for
 * runs of many threads, and when a thread has failed.
 */
import { EngineError } from "../../errors.js";
import { cgroupFolders } from "./cgroup.js";
import { type Files, fieldOf, readNumber } from "../files.js";

/** A limit on the number of threads, with the number in use where it can be counted. */
export interface ThreadLimit {
  /** As a person would look it up: `RLIMIT_NPROC (ulimit -u)`. */
  readonly name: string;
  readonly max: number;
  readonly inUse: number | null;
  /** How many of them a thread takes; default 1. */
  readonly perThread?: number;
  /** How many nobody gets; default 0. */
  readonly reserved?: number;
  /** How to raise it, as a full sentence. */
  readonly remedy: string;
}

/** Process ids that the kernel does not give out again once they have wrapped around (RESERVED_PIDS of kernel/pid.c). */
const RESERVED_PIDS = 300;

/** A thread's stack and the guard page below it are two mappings; newer C libraries join them. */
const MAPPINGS_PER_THREAD = 2;

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
      {
        name,
        max,
        inUse: inUse === undefined ? null : Number(inUse),
        ...(name === "kernel.pid_max" ? { reserved: RESERVED_PIDS } : {}),
        remedy: `Raise it with \`sysctl ${name}=N\`.`,
      },
    ];
  });
};

/** Every mapping counts: a stack is one, and so is what keeps threads from running over its end. */
const mappingLimit = (files: Files): readonly ThreadLimit[] => {
  const max = readNumber(files, "/proc/sys/vm/max_map_count");
  const maps = files.readText("/proc/self/maps");
  if (max === null || maps === null) return [];
  return [
    {
      name: "vm.max_map_count",
      max,
      inUse: maps.split("\n").length - 1,
      perThread: MAPPINGS_PER_THREAD,
      remedy: `Raise it with \`sysctl vm.max_map_count=N\`: a thread takes ${MAPPINGS_PER_THREAD}.`,
    },
  ];
};

/** How many threads a limit still allows. */
export const threadsLeft = ({ max, inUse, reserved = 0, perThread = 1 }: ThreadLimit): number =>
  Math.max(0, Math.floor((max - reserved - (inUse ?? 0)) / perThread));

/** The limits on the number of threads of this process, the nearest first. */
export const threadLimits = (files: Files): readonly ThreadLimit[] =>
  [...userLimit(files), ...groupLimits(files), ...kernelLimits(files), ...mappingLimit(files)].toSorted(
    (a, b) => threadsLeft(a) - threadsLeft(b),
  );

const usedOf = ({ max, inUse }: ThreadLimit): string => (inUse === null ? `${max}` : `${max}, ${inUse} in use`);

/** Fewer threads than that are started without a look at the limits: the look would take longer. */
const WORTH_A_LOOK = 256;

/**
 * Refuses threads that cannot all be started, before the first of them is. A limit that a thread takes more than one of is
 * taken at one: it must be sure that they do not fit.
 *
 * @throws EngineError that names the limit, where a limit stands in the way for certain
 */
export const refuseBeyondLimits = (wanted: number, limitsHere: () => readonly ThreadLimit[]): void => {
  if (wanted < WORTH_A_LOOK) return;
  const binding = limitsHere().find((limit) => limit.max - (limit.inUse ?? 0) < wanted);
  if (binding === undefined) return;
  throw new EngineError(
    `cannot start ${wanted} threads: the limit ${binding.name} leaves room for ${threadsLeft(binding)} (${usedOf(binding)})`,
    binding.remedy,
  );
};

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
  return threadsLeft(nearest) < HIT_WHEN_LEFT
    ? new EngineError(`${what}; the limit ${nearest.name} was hit (${usedOf(nearest)})`, nearest.remedy)
    : new EngineError(
        `${what}; the nearest known limit is ${nearest.name} (${usedOf(nearest)}), so memory may be short`,
        "Use fewer threads (-m, -t) or free memory; a limit on address space (ulimit -v) looks the same.",
      );
};
