/** The axis of a run's time: from zero, with whole seconds as ticks. */
import { roundStep, type ValueAxis } from "./value-axis.js";

/** The axis up to `toSec` (above 0); a narrow one has fewer ticks. */
export const secondsAxis = (toSec: number, narrow: boolean): ValueAxis => {
  const step = Math.max(1, roundStep(toSec / (narrow ? 5 : 10)));
  const whole = Number.isInteger(step) ? step : Math.ceil(step);
  const ticks: number[] = [];
  for (let tick = 0; tick <= toSec; tick += whole) ticks.push(tick);
  return {
    type: "linear",
    domain: [0, toSec],
    ticks,
    position: (value) => value / toSec,
    valueAt: (position) => position * toSec,
  };
};
