/**
 * What the threads need from Linux: six functions on the measured path, six before it and one for loads, which the host that runs a
 * thread provides. Only 32-bit integers cross here: a 64-bit integer or a double on its way through JavaScript would be an object on its heap.
 */

/** FUTEX_WAIT_PRIVATE on the word, expecting a value: 0, or the errno. */
// @ts-ignore: decorator
@external("host", "futexWait")
export declare function futexWait(word: usize, expected: u32): i32;

/** FUTEX_WAKE_PRIVATE on the word, for at most so many waiters: 0, or the errno. */
// @ts-ignore: decorator
@external("host", "futexWake")
export declare function futexWake(word: usize, waiters: u32): i32;

/** CLOCK_MONOTONIC, written as two i64 (seconds, nanoseconds) to an address in shared memory; see clock.ts. */
// @ts-ignore: decorator
@external("host", "readClock")
export declare function readClock(timespec: usize): void;

/** CLOCK_THREAD_CPUTIME_ID of this thread, written likewise: for a load that takes so much CPU time. */
// @ts-ignore: decorator
@external("host", "readCpuClock")
export declare function readCpuClock(timespec: usize): void;

/** usleep(3): 0, or the errno. */
// @ts-ignore: decorator
@external("host", "usleep")
export declare function usleep(usec: u32): i32;

/** sched_getcpu(3): the CPU this thread runs on, or a negative errno. */
// @ts-ignore: decorator
@external("host", "getCpu")
export declare function getCpu(): i32;

/** The CPU's hint that this is a spinning loop; nothing where there is none. */
// @ts-ignore: decorator
@external("host", "cpuRelax")
export declare function cpuRelax(): void;

/** Names this thread: the address of at most 15 characters and a zero. */
// @ts-ignore: decorator
@external("host", "setName")
export declare function setName(name: usize): void;

/** sched_setaffinity of this thread: address and bytes of a CPU mask. 0, or the errno. */
// @ts-ignore: decorator
@external("host", "setCpus")
export declare function setCpus(mask: usize, bytes: u32): i32;

/** sched_setattr of this thread: the address of a struct sched_attr. 0, or the errno. */
// @ts-ignore: decorator
@external("host", "setSched")
export declare function setSched(attributes: usize): i32;

/** Moves this thread into a control group: the open cgroup.threads of it. 0, or the errno. */
// @ts-ignore: decorator
@external("host", "joinGroup")
export declare function joinGroup(fd: u32): i32;

/** PR_SET_TIMERSLACK of this thread. */
// @ts-ignore: decorator
@external("host", "setTimerSlack")
export declare function setTimerSlack(nsec: u32): void;

/** Creates the thread of a ThreadSetup: 0, or the errno. */
// @ts-ignore: decorator
@external("host", "startThread")
export declare function startThread(setup: usize): i32;
