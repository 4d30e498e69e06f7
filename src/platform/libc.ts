/**
 * The only door to libc and to shared libraries: koffi. Results are narrowed here, once.
 *
 * The measured path of the v8 host calls libc from its own threads (engine/thread-entry.cts), the native host not at all.
 */
import koffi, { type LibraryHandle } from "koffi";
import { cpuMask, cpuMaskBytes } from "./cpu-mask.js";

const SYS_FUTEX = { x64: 202, arm64: 98 } as const;
const SYS_SCHED_SETAFFINITY = { x64: 203, arm64: 122 } as const;
const SYS_SCHED_GETATTR = { x64: 315, arm64: 275 } as const;
const SYS_PERF_EVENT_OPEN = { x64: 298, arm64: 241 } as const;
const PERF_CLOSE_ON_EXEC = 8;
const FUTEX_WAKE_PRIVATE = 129;
const CLOCK_MONOTONIC = 1;
const CLOCK_BOOTTIME = 7;
/** So often the two clocks are read: the reading counts between whose ends the least time went by. */
const CLOCK_READINGS = 5;
const MADV_NOHUGEPAGE = 15;
const LOCK_EX = 2;
/** LINUX_REBOOT_CMD_RESTART */
const RESTART = 0x01234567;
const LOCK_NB = 4;

/** A C function as koffi hands it out. */
export type ForeignFunction = (...args: readonly unknown[]) => unknown;

/** A loaded shared library. */
export interface SharedLibrary {
  /** The function with a C prototype; throws when the library lacks it. */
  readonly func: (prototype: string) => ForeignFunction;
}

const wrap = (library: LibraryHandle): SharedLibrary => ({ func: (prototype) => library.func(prototype) });

/** Opens a shared library by path; throws when the dynamic linker refuses it. */
export const openLibrary = (path: string): SharedLibrary => wrap(koffi.load(path));

/** A result that the C prototype says is a number. */
export const asNumber = (value: unknown): number => {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  throw new TypeError(`expected a number from a C function, got ${typeof value}`);
};

/** The address of a buffer's first byte. */
export const addressOf = (view: Uint8Array): number => asNumber(koffi.address(view));

// The C library that Node runs on, whatever it is called: libc.so.6 (glibc), libc.musl-x86_64.so.1 (Alpine).
const libc = wrap(koffi.load(null));
const syscallFutex = libc.func("long syscall(long number, uintptr_t word, int operation, int value)");
const syscallAffinity = libc.func("long syscall(long number, int thread, size_t bytes, void* mask)");
const syscallPerf = libc.func("long syscall(long number, void* attributes, int tid, int cpu, int group, long flags)");
const syscallGetattr = libc.func("long syscall(long number, int tid, void* attributes, uint size, uint flags)");
const clockGettime = libc.func("int clock_gettime(int clock, void* time)");
const exitGroup = libc.func("void _exit(int status)");
const flock = libc.func("int flock(int fd, int operation)");
const madvise = libc.func("int madvise(uintptr_t address, size_t length, int advice)");
const mount = libc.func("int mount(str source, str target, str type, unsigned long flags, str data)");
const setHostname = libc.func("int sethostname(str name, size_t length)");
const reboot = libc.func("int reboot(int command)");

const time = new BigInt64Array(2);
const timeBytes = new Uint8Array(time.buffer);

const readClock = (clock: number): number => {
  clockGettime(clock, timeBytes);
  return Number(time[0]) * 1e9 + Number(time[1]);
};

/** CLOCK_MONOTONIC in nanoseconds, the clock of the benchmark threads. */
export const monotonicNsec = (): number => readClock(CLOCK_MONOTONIC);

/**
 * For how long the machine has been suspended since it booted, nanoseconds: CLOCK_BOOTTIME counts that time and
 * CLOCK_MONOTONIC does not. Exact to the time between two readings, a microsecond.
 */
export const suspendedNsec = (): number => {
  let [span, suspended] = [Infinity, 0];
  for (let reading = 0; reading < CLOCK_READINGS; reading++) {
    const before = readClock(CLOCK_MONOTONIC);
    const boottime = readClock(CLOCK_BOOTTIME);
    const after = readClock(CLOCK_MONOTONIC);
    if (after - before < span) [span, suspended] = [after - before, boottime - (before + after) / 2];
  }
  return Math.max(0, suspended);
};

/** FUTEX_WAKE_PRIVATE on the word at an address, for at most so many waiters. */
export const futexWake = (address: number, waiters: number): void => {
  const number = process.arch === "arm64" ? SYS_FUTEX.arm64 : SYS_FUTEX.x64;
  syscallFutex(number, address, FUTEX_WAKE_PRIVATE, waiters);
};

/**
 * sched_setaffinity of a thread, or of a process that has one: 0, or the errno.
 *
 * @param mask bit n of byte n / 8 is CPU n
 */
export const setCpusOf = (tid: number, mask: Uint8Array): number => {
  const number = process.arch === "arm64" ? SYS_SCHED_SETAFFINITY.arm64 : SYS_SCHED_SETAFFINITY.x64;
  return asNumber(syscallAffinity(number, tid, mask.length, mask)) === 0 ? 0 : koffi.errno();
};

/**
 * perf_event_open for one thread on every CPU.
 *
 * @param attributes a struct perf_event_attr
 * @returns a file descriptor; null where the kernel refuses
 */
export const openPerfEvent = (attributes: Uint8Array, tid: number): number | null => {
  const number = process.arch === "arm64" ? SYS_PERF_EVENT_OPEN.arm64 : SYS_PERF_EVENT_OPEN.x64;
  const fd = asNumber(syscallPerf(number, attributes, tid, -1, -1, PERF_CLOSE_ON_EXEC));
  return fd < 0 ? null : fd;
};

/** Fills a struct sched_attr for a thread, 0 = the calling one; false where there is no such thread or no such call. */
export const schedGetattr = (tid: number, attributes: Uint8Array): boolean => {
  const number = process.arch === "arm64" ? SYS_SCHED_GETATTR.arm64 : SYS_SCHED_GETATTR.x64;
  return asNumber(syscallGetattr(number, tid, attributes, attributes.length, 0)) === 0;
};

/** Locks an open file for this process alone, until it is closed, however the process ends; false: another one has it locked. */
export const lockFile = (fd: number): boolean => {
  if (asNumber(flock(fd, LOCK_EX | LOCK_NB)) === 0) return true;
  // A file system without locks (ENOLCK, EOPNOTSUPP, …) keeps nobody from working.
  return koffi.errno() !== koffi.os.errno["EWOULDBLOCK"];
};

/** Asks the kernel for no huge pages in an address range; false when it refuses. */
export const declineHugePages = (address: number, bytes: number): boolean =>
  madvise(address, bytes, MADV_NOHUGEPAGE) === 0;

/** A thread of this machine runs on one CPU from now on; false when the kernel refuses. */
export const pinThread = (thread: number, cpu: number): boolean =>
  setCpusOf(thread, cpuMask([cpu], cpuMaskBytes(cpu + 1))) === 0;

/** Mounts a file system of the kernel's; false where it has none of this type, or it is there already. */
export const mountFileSystem = (type: string, target: string): boolean =>
  asNumber(mount(type, target, type, 0, "")) === 0;

/** Gives the machine a name. Needs root. */
export const nameMachine = (name: string): boolean => asNumber(setHostname(name, Buffer.byteLength(name))) === 0;

/** Restarts the machine at once, without a word to any process. Needs root. */
export const restartMachine = (): void => {
  reboot(RESTART);
};

/** Ends this process and all its threads now, whatever they are doing. */
export const endProcess = (code: number): void => {
  exitGroup(code);
};
