/**
 * struct sched_attr, as sched_setattr(2) takes it and sched_getattr(2) fills it: from attributes to bytes, and from bytes to
 * what is in force. Pure but for `readSched`.
 */
import type { SchedAttributes, SchedInForce } from "../../model/plan/sched-attributes.js";
import { policyNamed, policyNumbered, type SchedPolicy } from "../../model/plan/sched-table.js";
import { NSEC_PER_USEC } from "../../units.js";
import { schedGetattr } from "../libc.js";

/** With the bounds of the utilisation, the last fields that were added (SCHED_ATTR_SIZE_VER1). */
export const SCHED_ATTR_BYTES = 56;

/** Where the fields lie, in bytes. */
const AT = {
  size: 0,
  policy: 4,
  flags: 8,
  nice: 16,
  priority: 20,
  runtimeNsec: 24,
  deadlineNsec: 32,
  periodNsec: 40,
  uclampMin: 48,
  uclampMax: 52,
} as const;

const RESET_ON_FORK = 0x01n;
/** Policy, and with it nice, priority and times, stay. */
const KEEP_ALL = 0x08n | 0x10n;
const UTIL_CLAMP = 0x20n | 0x40n;

const usecAt = (view: DataView, offset: number): number => Number(view.getBigUint64(offset, true)) / NSEC_PER_USEC;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** What the bytes that the kernel has filled say. */
export const schedIn = (bytes: Uint8Array): SchedInForce => {
  const view = viewOf(bytes);
  const number = view.getUint32(AT.policy, true);
  const policy = policyNumbered(number)?.name ?? String(number);
  const isDeadline = policy === "deadline";
  const isRealTime = policy === "fifo" || policy === "rr";
  const runtimeUsec = usecAt(view, AT.runtimeNsec);
  const uclamp = { min: view.getUint32(AT.uclampMin, true), max: view.getUint32(AT.uclampMax, true) };
  return {
    policy,
    nice: isDeadline || isRealTime ? null : view.getInt32(AT.nice, true),
    priority: isRealTime ? view.getUint32(AT.priority, true) : null,
    sliceUsec: isDeadline || isRealTime || runtimeUsec === 0 ? null : runtimeUsec,
    deadline: isDeadline
      ? { runtimeUsec, deadlineUsec: usecAt(view, AT.deadlineNsec), periodUsec: usecAt(view, AT.periodNsec) }
      : null,
    // A kernel without these leaves them alone; one that has them puts the upper bound above 0.
    uclamp: uclamp.max === 0 ? null : uclamp,
  };
};

/** What a new thread starts with, if its creator has these bytes: with the reset flag, neither priority nor negative nice. */
const inheritedFrom = (bytes: Uint8Array): SchedInForce => {
  const own = schedIn(bytes);
  if ((viewOf(bytes).getBigUint64(AT.flags, true) & RESET_ON_FORK) === 0n) return own;
  return { ...own, policy: own.nice === null ? "other" : own.policy, nice: Math.max(0, own.nice ?? 0) };
};

/** A policy under which nice and slice count: the one that is inherited, or else the default. */
const fairPolicy = (inherited: string): SchedPolicy =>
  inherited === "batch" || inherited === "ext" ? policyNamed(inherited) : policyNamed("other");

/** Only the bounds of the utilisation are named. */
const keepsAll = (attributes: SchedAttributes): boolean =>
  attributes.policy === undefined && attributes.nice === undefined && attributes.sliceUsec === undefined;

/**
 * The struct for a thread that is to have these attributes. Policy and nice that they do not name stay as they are inherited.
 *
 * @param creator the struct of the thread that creates it, as `ownSchedBytes` reads it
 */
export const schedAttr = (attributes: SchedAttributes, creator: Uint8Array): Uint8Array => {
  const inherited = inheritedFrom(creator);
  const bytes = new Uint8Array(SCHED_ATTR_BYTES);
  const view = viewOf(bytes);
  const setUsec = (offset: number, usec: number): void =>
    view.setBigUint64(offset, BigInt(Math.round(usec * NSEC_PER_USEC)), true);
  const policy = attributes.policy === undefined ? fairPolicy(inherited.policy) : policyNamed(attributes.policy);
  view.setUint32(AT.size, SCHED_ATTR_BYTES, true);
  view.setUint32(AT.policy, policy.number, true);
  if ("priority" in attributes) view.setUint32(AT.priority, attributes.priority, true);
  else if ("runtimeUsec" in attributes) {
    setUsec(AT.runtimeNsec, attributes.runtimeUsec);
    setUsec(AT.deadlineNsec, attributes.deadlineUsec);
    setUsec(AT.periodNsec, attributes.periodUsec);
  } else if (attributes.policy !== "idle") {
    view.setInt32(AT.nice, attributes.nice ?? inherited.nice ?? 0, true);
    // 0: the kernel's own choice. It does not tell whether the creator's slice is that, or somebody asked for it.
    setUsec(AT.runtimeNsec, attributes.sliceUsec ?? 0);
  }
  if ("uclamp" in attributes && attributes.uclamp !== undefined) {
    view.setBigUint64(AT.flags, keepsAll(attributes) ? UTIL_CLAMP | KEEP_ALL : UTIL_CLAMP, true);
    view.setUint32(AT.uclampMin, attributes.uclamp.min, true);
    view.setUint32(AT.uclampMax, attributes.uclamp.max, true);
  }
  return bytes;
};

/** The bytes of the calling thread: zeros, which are the system's defaults, where sched_getattr is not to be had. */
export const ownSchedBytes = (): Uint8Array => {
  const bytes = new Uint8Array(SCHED_ATTR_BYTES);
  schedGetattr(0, bytes);
  return bytes;
};

/** What is in force for a thread; null where it has gone, or sched_getattr is not to be had. */
export const readSched = (tid: number): SchedInForce | null => {
  const bytes = new Uint8Array(SCHED_ATTR_BYTES);
  return schedGetattr(tid, bytes) ? schedIn(bytes) : null;
};
