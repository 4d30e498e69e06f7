/**
 * The body of a Node worker thread in the v8 host: binds the module's imports to libc and runs the thread of a setup.
 * CommonJS and small, because it is loaded once per benchmark thread.
 *
 * koffi is called with small integers and with views made beforehand, and returns small integers, so no JavaScript object is
 * made between two clock readings.
 */
import koffi = require("koffi");
import type { ThreadStart } from "./v8-host.js" with { "resolution-mode": "import" };
import workerThreads = require("node:worker_threads");

const FUTEX_WAIT_PRIVATE = 128;
const FUTEX_WAKE_PRIVATE = 129;
const CLOCK_MONOTONIC = 1;
const CLOCK_THREAD_CPUTIME_ID = 3;
const SCHED_ATTR_BYTES = 56;
const ENOSYS = 38;
const PR_SET_NAME = 15;
const PR_SET_TIMERSLACK = 29;
const NUMBERS = {
  x64: { futex: 202, gettid: 186, setaffinity: 203, setattr: 314 },
  arm64: { futex: 98, gettid: 178, setaffinity: 122, setattr: 274 },
} as const;

const isStart = (data: unknown): data is ThreadStart => typeof data === "object" && data !== null && "memory" in data;

const start: unknown = workerThreads.workerData;
if (!isStart(start)) throw new TypeError("thread-entry runs as a Node worker thread of the v8 host only");
const numbers = process.arch === "arm64" ? NUMBERS.arm64 : NUMBERS.x64;

// The one that Node runs on, glibc or musl.
const libc = koffi.load(null);
const futex = libc.func(
  "int syscall(long number, void* word, int operation, int value, void* none, void* no, int zero)",
);
const setAffinity = libc.func("int syscall(long number, int thread, size_t bytes, void* mask)");
const setAttr = libc.func("int syscall(long number, int thread, void* attributes, uint flags)");
const gettid = libc.func("int syscall(long number)");
const clockGettime = libc.func("int clock_gettime(int clock, void* time)");
const usleep = libc.func("int usleep(uint32_t usec)");
const schedGetcpu = libc.func("int sched_getcpu()");
const write = libc.func("long write(int fd, void* bytes, size_t count)");
const prctlName = libc.func("int prctl(int option, void* name)");
const prctlSlack = libc.func("int prctl(int option, uint64_t nsec)");

/** What cgroup.threads takes for the thread that writes. */
const OWN_THREAD = new Uint8Array([0x30]);

const { memory } = start;
const failed = (result: unknown): number => (result === -1 ? koffi.errno() : 0);

/** A view of so many bytes at an address in shared memory, made once: an address as a number would be a heap object. */
const views = new Map<number, Uint8Array>();
const viewOf = (address: number, bytes: number): Uint8Array => {
  const known = views.get(address);
  if (known !== undefined) return known;
  const view = new Uint8Array(memory.buffer, address >>> 0, bytes);
  views.set(address, view);
  return view;
};

const host = {
  futexWait: (word: number, expected: number): number =>
    failed(futex(numbers.futex, viewOf(word, 4), FUTEX_WAIT_PRIVATE, expected, null, null, 0)),
  futexWake: (word: number, waiters: number): number =>
    failed(futex(numbers.futex, viewOf(word, 4), FUTEX_WAKE_PRIVATE, waiters, null, null, 0)),
  readClock: (timespec: number): void => {
    clockGettime(CLOCK_MONOTONIC, viewOf(timespec, 16));
  },
  readCpuClock: (timespec: number): void => {
    clockGettime(CLOCK_THREAD_CPUTIME_ID, viewOf(timespec, 16));
  },
  usleep: (usec: number): number => failed(usleep(usec)),
  getCpu: schedGetcpu,
  cpuRelax: (): void => undefined,
  setName: (name: number): void => {
    prctlName(PR_SET_NAME, viewOf(name, 16));
  },
  setCpus: (mask: number, bytes: number): number =>
    failed(setAffinity(numbers.setaffinity, 0, bytes, viewOf(mask, bytes))),
  setSched: (attributes: number): number =>
    failed(setAttr(numbers.setattr, 0, viewOf(attributes, SCHED_ATTR_BYTES), 0)),
  joinGroup: (fd: number): number => failed(write(fd, OWN_THREAD, 1)),
  setTimerSlack: (nsec: number): void => {
    prctlSlack(PR_SET_TIMERSLACK, nsec);
  },
  // Threads of this host wait at gates; none is created by another.
  startThread: (): number => ENOSYS,
};

const { run_thread: runThread } = new WebAssembly.Instance(start.module, { env: { memory }, host }).exports;
if (typeof runThread !== "function") throw new TypeError('the engine module exports no function "run_thread"');
runThread(start.setup, gettid(numbers.gettid));
