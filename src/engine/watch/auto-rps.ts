/**
 * Steering the request rate to a CPU utilisation (`-A`): one step a second.
 *
 * Upstream counterpart: auto_scale_rps. Theirs divides the goal by the message threads first and may end at 0; ours is
 * the total over all message threads, and at least 1.
 */

/** Upstream computes in single precision; the goal's bounds make no difference to ours, but the bands are the same. */
const MAX_GOAL = 2 ** 31;

/** Where the steering stands. */
export interface AutoRps {
  readonly goalPerSec: number;
  /** The target has been hit, once and for good: from now on RPS samples count. */
  readonly targetHit: boolean;
}

/** How much of the distance one step goes: wide strides far away, damped ones near the target. */
const stride = (ratio: number): number => {
  if (ratio > 3) return 3;
  if (ratio > 1) {
    if (ratio < 1.2) return 1 + (ratio - 1) / 8;
    if (ratio < 1.5) return 1 + (ratio - 1) / 4;
    return ratio;
  }
  if (ratio < 0.3) return 0.3;
  if (ratio > 0.9) return ratio + (1 - ratio) / 8;
  if (ratio > 0.8) return ratio + (1 - ratio) / 4;
  return ratio;
};

const isDampedHit = (ratio: number): boolean => {
  const damped = stride(ratio);
  return ratio > 1 ? ratio < 1.2 && damped < 1.05 : ratio > 0.9 && damped > 0.95;
};

/**
 * One step.
 *
 * @param busyPercent utilisation over the last second, 0–100
 * @param targetPercent utilisation to reach
 */
export const stepAutoRps = (state: AutoRps, busyPercent: number, targetPercent: number): AutoRps => {
  if (busyPercent === targetPercent) return { ...state, targetHit: true };
  const ratio = busyPercent <= 0 ? Infinity : targetPercent / busyPercent;
  const targetHit = state.targetHit || isDampedHit(ratio);
  const wanted = state.goalPerSec * stride(ratio);
  if (ratio < 1) return { goalPerSec: Math.max(1, Math.floor(wanted)), targetHit };
  const goal = Math.ceil(wanted);
  return { goalPerSec: goal >= MAX_GOAL ? state.goalPerSec : goal, targetHit };
};
