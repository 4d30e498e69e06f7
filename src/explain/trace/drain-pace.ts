/** When the rings are looked at again, and whether they are full enough to be emptied: the sooner the faster they fill. */

const DRAIN_AT_FILL = 0.5;
const POLL_MSEC = { least: 20, most: 500 } as const;
/** A ring that fills faster all of a sudden must still be seen in time. */
const POLL_AT_SHARE_OF_TIME = 0.5;

/** What to do after a look at the rings. */
export interface Pace {
  readonly isDue: boolean;
  readonly againMsec: number;
}

/** Keeps the pace: give it the fill (0 to 1) of the fullest ring at each look; one that was due has been emptied at the next. */
export const drainPace = (beganNsec: number): ((fill: number, nowNsec: number) => Pace) => {
  let last = { nowNsec: beganNsec, fill: 0 };
  return (fill, nowNsec) => {
    const fillPerMsec = ((fill - last.fill) / (nowNsec - last.nowNsec)) * 1_000_000;
    const isDue = fill >= DRAIN_AT_FILL;
    last = { nowNsec, fill: isDue ? 0 : fill };
    const untilFullMsec = fillPerMsec > 0 ? (DRAIN_AT_FILL - last.fill) / fillPerMsec : Number.POSITIVE_INFINITY;
    return {
      isDue,
      againMsec: Math.max(POLL_MSEC.least, Math.min(POLL_MSEC.most, untilFullMsec * POLL_AT_SHARE_OF_TIME)),
    };
  };
};
