/** What `--explain` found: causes with their share of the time, and the worst wakeups drawn. */
import { CAUSES } from "../../explain/causes.js";
import { type Explanation, explanation, type WakeupExplanation } from "../../explain/explanation.js";
import type { RunResult } from "../../model/result/run-result.js";
import { causeChart } from "../charts/cause-chart.js";
import { type DrawnWakeup, drawnCpus, timeLineChart } from "../charts/time-line-chart.js";
import { SPAN_KINDS, SPAN_STYLES } from "../charts/span-styles.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { type Figure, fullFigure } from "../html/figure.js";
import { type Content, type Markup, markup } from "../html/markup.js";
import type { Section } from "../html/page.js";
import { capitalised, counted, figure, usecText } from "../html/quantity.js";

/** So many of the worst wakeups are drawn; the rest stand in the table. */
const MOST_DRAWN = 4;

const byTime = ({ causes }: Explanation): Explanation["causes"] => causes.toSorted((a, b) => b.usec - a.usec);

const causeFigure = (found: Explanation): Figure => ({
  title: `Where the time of the ${counted(found.slowWakeups, "slowest wakeup")} went`,
  reading: markup`${figure(found.attributed)} of ${figure(found.slowWakeups)} have a cause that the trace shows; what it
    does not show is <em>unknown</em>, not
    guessed.${
      found.placementMisses.wakeups > 0
        ? ` In ${figure(found.placementMisses.wakeups)} of them another CPU that the thread was allowed to use stood idle while it waited.`
        : ""
    }`,
  draw: (width) => causeChart(byTime(found), width),
  table: dataTable(
    [textColumn("cause"), numberColumn("wakeups"), numberColumn("time (µs)"), textColumn("who"), textColumn("meaning")],
    byTime(found).map((row) => [
      row.cause,
      figure(row.wakeups),
      figure(Math.round(row.usec)),
      row.who.map(({ name, usec }) => `${name} ${usecText(usec)}`).join(", "),
      CAUSES[row.cause],
    ]),
  ),
});

/** In the same order in every figure. */
const spanKey = (wakeup: DrawnWakeup): Markup => {
  const drawn = new Set(wakeup.timeline.cpus.flatMap(({ spans }) => spans.map(({ kind }) => kind)));
  return markup`<ul class="key">
    ${SPAN_KINDS.filter((kind) => drawn.has(kind)).map((kind) => {
      const { name, number, mark } = SPAN_STYLES[kind];
      return markup`<li>
        <span class="number-${number}" aria-hidden="true">${mark}</span
        >
        ${name}
      </li>`;
    })}
  </ul>`;
};

const wakeupTable = (wakeup: DrawnWakeup): Content => [
  dataTable(
    [textColumn("phase"), numberColumn("time (µs)")],
    wakeup.phases.map(({ from, to, usec }) => [`${from} → ${to}`, figure(usec)]),
    wakeup.kernelSec === null
      ? null
      : `In the kernel's trace (clock mono): ${wakeup.kernelSec.from} to ${wakeup.kernelSec.to} s, thread ${wakeup.kernelTid ?? wakeup.tid}`,
  ),
  dataTable(
    [numberColumn("at (µs)"), numberColumn("CPU"), textColumn("event")],
    wakeup.timeline.events.map(({ atUsec, cpu, text }) => [figure(atUsec), cpu, text]),
    wakeup.timeline.eventsLeftOut > 0
      ? `${counted(wakeup.timeline.eventsLeftOut, "event")} in the middle left out`
      : null,
  ),
];

const kickSentence = ({ kick, idleExit }: DrawnWakeup): string =>
  kick === null || idleExit === null
    ? ""
    : ` ${kick.tid === 0 ? `CPU ${kick.fromCpu}` : `${kick.comm} (${kick.tid}) on CPU ${kick.fromCpu}`} ${
        kick.how === "interrupt" ? "interrupted" : "found polling"
      } the idle CPU ${idleExit.cpu} after ${usecText(kick.atUsec)}.`;

const stealSentence = ({ steal }: DrawnWakeup): string =>
  steal
    .map(
      ({ cpu, usec, withinUsec }) =>
        ` The hypervisor took ${usecText(usec)} of CPU ${cpu} within ${usecText(withinUsec)} around it.`,
    )
    .join("");

const wakeupFigure = (wakeup: DrawnWakeup, rank: number): Figure => {
  const drawn = drawnCpus(wakeup).length;
  const hidden = wakeup.timeline.cpus.length - drawn;
  return {
    title: `${rank}. Worker ${wakeup.workerIndex} waited ${usecText(wakeup.latencyUsec)}: ${wakeup.cause}`,
    reading: `${capitalised(CAUSES[wakeup.cause])}. Time outside the wait is pale.${kickSentence(wakeup)}${stealSentence(wakeup)}${hidden > 0 ? ` ${counted(hidden, "CPU")} that had no part in it ${hidden === 1 ? "is" : "are"} not drawn.` : ""}`,
    key: spanKey(wakeup),
    draw: (width) => timeLineChart(wakeup, width),
    table: wakeupTable(wakeup),
  };
};

/** All that are told one by one, the slowest first. */
const slowest = ({ worst, more }: Explanation): readonly WakeupExplanation[] => [...worst, ...more];

const worstTable = (found: Explanation): Markup =>
  markup`<div class="scroll" tabindex="0" role="region" aria-label="The worst wakeups">
    ${dataTable(
      [
        numberColumn(""),
        numberColumn("latency (µs)"),
        numberColumn("worker"),
        numberColumn("CPU before"),
        numberColumn("CPU after"),
        textColumn("cause"),
        textColumn("who had the CPU"),
      ],
      slowest(found).map((wakeup, i) => [
        i + 1,
        figure(wakeup.latencyUsec),
        wakeup.workerIndex,
        wakeup.cpuBefore,
        wakeup.cpuAfter,
        wakeup.causes.map(({ cause, usec }) => `${cause} ${usecText(usec)}`).join(", "),
        wakeup.ran
          .slice(0, 3)
          .map(({ comm, tid, usec }) => `${comm} (${tid}) ${usecText(usec)}`)
          .join(", "),
      ]),
    )}
  </div>`;

const bodyOf = (found: Explanation): Content => [
  markup`<p class="reading">
    Traced: ${figure(found.trace.events)}
    events${found.trace.lostEvents > 0 ? `, ${figure(found.trace.lostEvents)} of them lost` : ", none lost"}.
  </p>`,
  found.causes.length > 0 ? fullFigure(causeFigure(found)) : null,
  found.worst.slice(0, MOST_DRAWN).map((wakeup, i) => fullFigure(wakeupFigure(wakeup, i + 1))),
  found.worst.length > 0
    ? markup`<h3 class="apart">The worst ${figure(slowest(found).length)}</h3>
        ${worstTable(found)}`
    : null,
];

/** What was found of the first run that was explained; null when none was, or by a version that is not known. */
const foundIn = (runs: readonly RunResult[]): Explanation | null => {
  for (const run of runs) {
    const parsed = explanation.safeParse(run.explanation);
    if (parsed.success) return parsed.data;
  }
  return null;
};

/** The cause that most of the slow wakeups' time went to, for the top of the page; null without an explanation. */
export const mainCause = (runs: readonly RunResult[]): Content => {
  const found = foundIn(runs);
  const [first] = found === null ? [] : byTime(found);
  if (first === undefined) return null;
  const [who] = first.who;
  return markup`<a href="#explain">The slowest wakeups</a>: mostly <em>${first.cause}</em>${
    who === undefined ? "" : ` (above all ${who.name})`
  }, ${figure(Math.round(first.timeShare * 100))}\u202f% of their time. `;
};

/** The section for the first run that was explained; null when none was. */
export const explanationSection = (runs: readonly RunResult[]): Section | null => {
  const found = foundIn(runs);
  return found === null ? null : { id: "explain", title: "Why wakeups were slow", body: bodyOf(found) };
};
