/** The report of a validation: every axis, every metric, our builds against the envelope that the references span. */
import type { EnvelopeJudgement } from "../../validate/envelope.js";
import type {
  AxisValidation,
  CellStatus,
  MetricValidation,
  MetricVerdict,
  SubjectFigures,
  Validation,
} from "../../validate/validation.js";
import { forestChart, type ForestRow } from "../charts/forest-chart.js";
import { dataTable, numberColumn, textColumn } from "../html/data-table.js";
import { machineSection } from "../html/facts.js";
import { type Figure, fullFigure } from "../html/figure.js";
import { type Content, type Markup, markup } from "../html/markup.js";
import { page, type Section, type Verdict } from "../html/page.js";
import { seriesStyle } from "../html/palette.js";
import { counted, figure, signedPercent, valueText } from "../html/quantity.js";
import type { ValidationReportInput } from "./report-input.js";
import { slimReportData } from "./embedded.js";

const STATUS = {
  inside: { symbol: "✓", word: "inside" },
  outside: { symbol: "✗", word: "outside" },
  noise: { symbol: "~", word: "noise" },
  undecided: { symbol: "?", word: "undecided" },
  "not-judged": { symbol: "–", word: "not judged" },
} as const satisfies Record<CellStatus, { readonly symbol: string; readonly word: string }>;

const OUTCOME = { inside: "✓", outside: "✗", undecided: "?" } as const satisfies Record<Validation["outcome"], string>;

const oursOf = ({ subjects }: Validation): readonly string[] =>
  subjects.filter(({ role }) => role === "ours").map(({ name }) => name);

const validationBanner = (validation: Validation): Verdict => {
  const { counts, outcome, subjects, policy } = validation;
  const references = subjects
    .filter(({ role }) => role === "reference")
    .map(({ name }) => name)
    .join(" and ");
  const ours = oursOf(validation).join(" and ");
  const judged = counts.inside + counts.outside + counts.undecided + counts.noise;
  const sentences = {
    inside: `Inside: no metric of ${ours} lies outside the envelope of ${references}.`,
    outside:
      counts.outside === 0
        ? `Outside: the machine code of ${ours} does not do the work of the reference.`
        : `Outside: ${counts.outside} of ${judged} metrics of ${ours} lie outside the envelope of ${references}.`,
    undecided: `Not decided: ${counts.undecided} of ${judged} metrics of ${ours} may lie inside the envelope of ${references} or outside.`,
  } as const;
  return {
    symbol: OUTCOME[outcome],
    sentence: sentences[outcome],
    more: `${Object.entries(STATUS)
      .map(([status, { word }]) => ({ word, count: Object.entries(counts).find(([key]) => key === status)?.[1] ?? 0 }))
      .filter(({ count }) => count > 0)
      .map(({ word, count }) => `${count} ${word}`)
      .join(", ")}. ${
      policy === "measured" ? "What is noise was measured." : "Noise and envelope by the published rule."
    }`,
  };
};

/** How far from the nearer edge: in percent, or, of an edge of 0, in the metric's unit. */
const distanceText = ({ distancePercent, distance }: EnvelopeJudgement, unit: MetricValidation["unit"]): string =>
  distancePercent === null
    ? `${distance > 0 ? "+" : ""}${valueText(distance, unit)}`
    : `${signedPercent(distancePercent)}\u202f%`;

const cellText = ({ status, judgement }: MetricVerdict, unit: MetricValidation["unit"]): Content => {
  const { symbol, word } = STATUS[status];
  const off = judgement === null || judgement.distance === 0 ? "" : ` ${distanceText(judgement, unit)}`;
  return markup`<span class="nowrap" title="${word}">${symbol}${status === "outside" || status === "undecided" ? off : ""}</span>`;
};

const overview = (validation: Validation, subject: string, several: boolean): Content => {
  const metrics = [...new Map(validation.axes.flatMap((axis) => axis.metrics.map(({ id, label }) => [id, label])))];
  return [
    several ? markup`<h3 class="apart"><bdi>${subject}</bdi></h3>` : null,
    markup`<div class="scroll" tabindex="0" role="region" aria-label="Verdicts on ${subject}">
      ${dataTable(
        [textColumn("axis"), ...metrics.map(([, label]) => textColumn(label))],
        validation.axes.map((axis) => [
          markup`<a href="#axis-${validation.axes.indexOf(axis) + 1}">${axis.name}</a>`,
          ...metrics.map(([id]) => {
            const metric = axis.metrics.find((one) => one.id === id);
            const verdict = metric?.verdicts.find((one) => one.subject === subject);
            return metric === undefined || verdict === undefined ? "" : cellText(verdict, metric.unit);
          }),
        ]),
      )}
    </div>`,
  ];
};

const overviewSection = (validation: Validation): Section => {
  const ours = oursOf(validation);
  return {
    id: "overview",
    title: "Overview",
    body: [
      markup`<p class="reading">
        ${Object.values(STATUS).map(({ symbol, word }, i) => `${i > 0 ? ", " : ""}${symbol} ${word}`)}; a percentage is
        the distance from the nearer edge of the envelope.
      </p>`,
      ours.map((subject) => overview(validation, subject, ours.length > 1)),
    ],
  };
};

const rowOf = (metric: MetricValidation, verdict: MetricVerdict, index: number, several: boolean): ForestRow => {
  const { judgement, status } = verdict;
  const label = several ? `${metric.label}, ${verdict.subject}` : metric.label;
  const word = { ...STATUS[status], isShown: status === "outside" };
  const style = seriesStyle(index);
  if (judgement === null)
    return {
      label,
      primary: false,
      ratio: null,
      interval: null,
      threshold: null,
      changeText: "no data",
      intervalText: "",
      tooltip: `${label}\n${word.word}`,
      verdict: word,
      style,
    };
  const { average, envelope, distance } = judgement;
  const middle = (envelope.low + envelope.high) / 2;
  // References of 0 have no ratio, and so no place on the axis.
  const shareOf = (value: number): number | null => (middle === 0 ? null : value / middle);
  const own = metric.subjects.find(({ subject }) => subject === verdict.subject);
  const interval =
    own?.min === null || own?.max === null || own === undefined || middle === 0
      ? null
      : { low: own.min / middle, high: own.max / middle };
  return {
    label,
    primary: false,
    ratio: shareOf(average),
    interval,
    threshold: shareOf((envelope.high - envelope.low) / 2),
    changeText: valueText(average, metric.unit),
    intervalText: distance === 0 ? "in the envelope" : `${distanceText(judgement, metric.unit)} off`,
    tooltip: [
      label,
      `average ${valueText(average, metric.unit)}`,
      `envelope ${valueText(envelope.low, metric.unit)} to ${valueText(envelope.high, metric.unit)}`,
      `${word.symbol} ${word.word}`,
    ].join("\n"),
    verdict: word,
    style,
  };
};

const rangeOf = ({ average, min, max }: SubjectFigures): Content =>
  average === null
    ? "–"
    : markup`${figure(average)}${min === null || max === null ? null : markup` <span class="reading">[${figure(min)}–${figure(max)}]</span>`}`;

const axisTable = (axis: AxisValidation, validation: Validation): Markup =>
  dataTable(
    [
      textColumn("metric"),
      ...validation.subjects.map(({ name }) => numberColumn(markup`<bdi>${name}</bdi>`)),
      ...oursOf(validation).map((name) => textColumn(markup`verdict on <bdi>${name}</bdi>`)),
    ],
    axis.metrics.map((metric) => [
      `${metric.label} (${metric.unit === "usec" ? "µs" : metric.unit})`,
      ...validation.subjects.map(({ name }) => {
        const own = metric.subjects.find(({ subject }) => subject === name);
        return own === undefined ? "–" : rangeOf(own);
      }),
      ...oursOf(validation).map((name) => {
        const verdict = metric.verdicts.find(({ subject }) => subject === name);
        return verdict === undefined ? "–" : [cellText(verdict, metric.unit), ` ${STATUS[verdict.status].word}`];
      }),
    ]),
    "averages over rounds [smallest–largest run]",
  );

const axisFigure = (axis: AxisValidation, number: number, validation: Validation): Markup => {
  const ours = oursOf(validation);
  const rows = axis.metrics.flatMap((metric) =>
    metric.verdicts.map((verdict) => rowOf(metric, verdict, ours.indexOf(verdict.subject), ours.length > 1)),
  );
  const drawn: Figure = {
    title: axis.name,
    reading: markup`<code>${[axis.flags, axis.engineFlags].filter((flags) => flags !== "").join(" ")}</code> ·
      ${counted(axis.rounds, "round")}${axis.degeneracies.map(({ message }) => markup`<br />⚠ ${message}`)}`,
    draw: (width) =>
      forestChart(
        rows,
        {
          axis: "distance from the middle of the envelope (%)",
          label: `${axis.name}: our averages in the envelope of the references.`,
        },
        width,
      ),
    table: axisTable(axis, validation),
  };
  return markup`<div id="axis-${number}">${fullFigure(drawn)}</div>`;
};

const codeSection = ({ code }: Validation): Section | null =>
  code === null
    ? null
    : {
        id: "code",
        title: "Machine code",
        body: markup`<div class="scroll" tabindex="0" role="region" aria-label="Machine code">
          ${dataTable(
            [textColumn("build"), textColumn(""), textColumn("inner loops")],
            code.map(({ subject, ok, summary }) => [markup`<bdi>${subject}</bdi>`, ok ? "✓" : "✗", summary]),
          )}
        </div>`,
      };

const notes = ({ leftOut, schedulers }: Validation): readonly string[] => [
  ...(schedulers.length > 0 ? [`sched_ext seen in charge: ${schedulers.join(", ")}`] : []),
  ...leftOut.map((reason) => `left out: ${reason}`),
];

const subjectSection = ({ subjects }: Validation): Section => ({
  id: "subjects",
  title: "Subjects",
  body: markup`<div class="scroll" tabindex="0" role="region" aria-label="Subjects">
    ${dataTable(
      [textColumn(""), textColumn("role"), textColumn("what it is")],
      subjects.map(({ name, role, description }) => [
        markup`<bdi>${name}</bdi>`,
        role,
        markup`<code>${description}</code>`,
      ]),
    )}
  </div>`,
});

/** The document for a validation. */
export const validationReport = ({ title, validation, subjects }: ValidationReportInput): string => {
  const doubts = notes(validation);
  const sections = [
    overviewSection(validation),
    doubts.length === 0
      ? null
      : {
          id: "notes",
          title: "Notes",
          body: markup`<ul class="warnings">
            ${doubts.map((doubt) => markup`<li>${doubt}</li>`)}
          </ul>`,
        },
    {
      id: "axes",
      title: "Axes",
      body: [
        markup`<p class="reading">
          Grey: the envelope, from the lowest to the highest average of the references. Mark: our average over rounds;
          line: its smallest and largest run. Filled: outside.
        </p>`,
        validation.axes.map((axis, i) => axisFigure(axis, i + 1, validation)),
      ],
    },
    codeSection(validation),
    subjectSection(validation),
    validation.host === null ? null : machineSection(validation.host),
  ].filter((section) => section !== null);
  const { host, startedAt } = validation;
  return page({
    kind: "Validation",
    title: title ?? `${oursOf(validation).join(", ")} against the reference`,
    meta: markup`<bdi
      >${[host?.hostname, host === null ? undefined : `Linux ${host.kernel}`, host?.cpuModel, startedAt.slice(0, 10)]
        .filter((part) => part !== undefined && part !== null)
        .join(" · ")}</bdi
    >`,
    verdict: validationBanner(validation),
    sections,
    data: slimReportData("validation", subjects ?? [], { validation }),
  });
};
