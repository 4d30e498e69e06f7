import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { parseHTML } from "linkedom";
import type { Explanation } from "../../../../src/explain/explanation.js";
import type { RunResult } from "../../../../src/model/result/run-result.js";
import { renderHtml } from "../../../../src/render/reports/html-report.js";
import { fakeResult } from "../../../helpers/fakes/fake-result.js";
import { fakeReports, hostileReports, twoSubjects } from "../../../helpers/render/render-reports.js";
import { fakeExplanation } from "../../../helpers/render/render-explanation.js";
import { fakeRun } from "../../../helpers/render/render-results.js";
import { fakeValidation } from "../../../helpers/render/render-validation.js";

const reports = Object.entries(fakeReports()).map(([name, input]) => ({ name, html: renderHtml(input) }));
const hostile = Object.entries(hostileReports()).map(([name, input]) => ({ name, html: renderHtml(input) }));

for (const { name, html } of [
  ...reports,
  ...hostile.map((report) => ({ ...report, name: `hostile ${report.name}` })),
]) {
  const { document } = parseHTML(html);
  const all = [...document.querySelectorAll("*")];

  void test(`${name}: the policy refuses everything but the page's own style sheet, which it names by its hash`, () => {
    const policy = document.querySelector("meta[http-equiv]")?.getAttribute("content") ?? "";
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; base-uri 'none'; form-action 'none'$/);
    const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text]) => text ?? "");
    assert.equal(styles.length, 1);
    assert.ok(
      policy.includes(
        createHash("sha256")
          .update(styles[0] ?? "")
          .digest("base64"),
      ),
    );
    assert.doesNotMatch(styles[0] ?? "", /url\(|@import|expression/);
  });

  void test(`${name}: nothing runs, nothing is fetched, no style stands in an attribute`, () => {
    assert.deepEqual(
      all
        .flatMap((element) => [...element.attributes].map((attribute) => attribute.name))
        .filter((attribute) => /^on|^style$|^src|^srcset$|^action$|^formaction$|^data$|^ping$/.test(attribute)),
      [],
    );
    assert.deepEqual(
      all.filter((element) => ["IFRAME", "OBJECT", "EMBED", "LINK", "IMG", "FORM", "BASE"].includes(element.tagName)),
      [],
    );
    const scripts = [...document.querySelectorAll("script")];
    assert.deepEqual(
      scripts.map((script) => script.getAttribute("type")),
      ["application/json"],
    );
    for (const link of document.querySelectorAll("a")) assert.match(link.getAttribute("href") ?? "", /^#[\w-]+$/);
  });

  void test(`${name}: ids are unique, and every link of the page leads somewhere in it`, () => {
    const ids = all.map((element) => element.getAttribute("id")).filter((id) => id !== null && id !== "");
    assert.equal(new Set(ids).size, ids.length);
    for (const link of document.querySelectorAll("a"))
      assert.ok(ids.includes((link.getAttribute("href") ?? "").slice(1)), link.getAttribute("href") ?? "");
  });

  void test(`${name}: the verdict comes before every chart, with a symbol and a sentence`, () => {
    assert.ok(html.indexOf('class="verdict"') < html.indexOf("<svg"));
    assert.match(document.querySelector(".verdict .symbol")?.textContent ?? "", /^[✓✗~?≠●⚠↗]$/u);
    assert.ok((document.querySelector(".verdict p")?.textContent ?? "").length > 10);
  });

  void test(`${name}: every chart is an image with a name that the keyboard reaches, and says how to read it`, () => {
    const charts = [...document.querySelectorAll("svg")];
    assert.ok(charts.length > 0);
    for (const chart of charts) {
      assert.equal(chart.getAttribute("role"), "img");
      assert.equal(chart.getAttribute("tabindex"), "0");
      assert.ok((chart.getAttribute("aria-label") ?? "").length > 15);
    }
    for (const figure of document.querySelectorAll("figure")) {
      assert.ok((figure.querySelector(".reading")?.textContent ?? "").length > 5);
      assert.ok(figure.querySelector("details table") !== null, "the numbers behind the chart");
    }
  });

  void test(`${name}: every axis has a label with its unit`, () => {
    for (const chart of document.querySelectorAll("svg")) {
      const labels = [...chart.querySelectorAll('g[aria-label$="axis label"]')].map((group) => group.textContent ?? "");
      assert.ok(labels.length >= 1, chart.getAttribute("aria-label") ?? "");
      for (const label of labels) assert.match(label, /\(.+\)/);
    }
  });

  void test(`${name}: no coordinate is broken`, () => {
    for (const [, value] of html.matchAll(/ (?:d|x|y|cx|cy|x1|x2|y1|y2|width|height|transform)="([^"]*)"/g))
      assert.doesNotMatch(value ?? "", /NaN|Infinity|undefined|null/);
  });
}

void test("exact values stand in tooltips", () => {
  const comparison = reports.find(({ name }) => name === "comparison")?.html ?? "";
  assert.match(comparison, /<title>request p99 \(lower is better\)\nratio 1\.\d{4}, interval/);
  const run = reports.find(({ name }) => name === "run")?.html ?? "";
  assert.match(run, /<title>17–18 s\nwakeup [\d,]+(?: to [\d,]+)? µs: \d+<\/title>/);
});

void test("a comparison names what differs between the machines, the set-up commands and the metric that differs", () => {
  const { document } = parseHTML(reports.find(({ name }) => name === "comparison")?.html ?? "");
  assert.match(document.querySelector(".verdict")?.textContent ?? "", /scx_rusty is worse than eevdf: request p99 \+/);
  assert.match(document.querySelector("#host")?.textContent ?? "", /≠ sched_ext/);
  assert.match(document.querySelector("#commands")?.textContent ?? "", /# set-up\nscx_rusty &/);
});

void test("the order of runs is drawn from what was told, else from start times, else not at all", () => {
  const subjects = twoSubjects();
  const input = fakeReports()["comparison"];
  assert.ok(input?.kind === "comparison");
  const undated = subjects.map((subject) => ({
    ...subject,
    runs: subject.runs.map((run) => ({ ...run, startedAt: null })),
  }));
  assert.match(renderHtml({ ...input, subjects }), /Run by run/);
  assert.doesNotMatch(renderHtml({ ...input, subjects: undated }), /Run by run/);
  const told = undated.map((subject, i) => ({ ...subject, positions: subject.runs.map((_, run) => run * 2 + i + 1) }));
  assert.match(renderHtml({ ...input, subjects: told }), /Run by run/);
});

void test("a run during which the scheduler changed is embedded, but not drawn", () => {
  const input = fakeReports()["comparison"];
  assert.ok(input?.kind === "comparison");
  const marked = input.subjects.map((subject) => ({
    ...subject,
    runs: subject.runs.map((run, i) =>
      i === 0 && run.environment !== null
        ? { ...run, environment: { ...run.environment, schedExtBefore: "a", schedExtAfter: "b" } }
        : run,
    ),
  }));
  const { document } = parseHTML(renderHtml({ ...input, subjects: marked }));
  assert.match(document.querySelector(".meta")?.textContent ?? "", /^10 runs/);
});

void test("what a source does not give is left out: a pipe run, a parsed table, a result with nothing in it", () => {
  const pipe = fakeResult(
    {},
    {
      mode: "pipe",
      request: null,
      rps: null,
      averageRps: null,
      transfer: {
        opsPerSecPerWorker: 152_345,
        bytesPerSecPerWorker: 624_007_577,
        opsPerSecTotal: null,
        bytesPerSecTotal: null,
      },
    },
  );
  const text = renderHtml({ kind: "run", runs: [pipe] });
  assert.match(text, /595 MB a second for each worker/);
  assert.doesNotMatch(text, /Request latency|Over time|Fairness/);
  const bare = renderHtml({
    kind: "run",
    runs: [fakeResult({}, { wakeup: null, request: null, rps: null, averageRps: null })],
  });
  assert.match(bare, /No latency is known/);
  assert.doesNotMatch(bare, /<svg/);
});

void test("doubts are counted beside the verdict and each said once, with its cure", () => {
  const warning = { code: "x", message: "the governor is powersave", cure: "Set it to performance." };
  const runs = [1, 2].map((seed) => fakeRun({ seed, seconds: 1, warnings: [warning] }));
  const { document } = parseHTML(renderHtml({ kind: "run", runs }));
  assert.equal(document.querySelectorAll(".warnings li").length, 1);
  assert.match(document.querySelector(".verdict")?.textContent ?? "", /1 warning/);
  assert.match(document.querySelector(".warnings")?.textContent ?? "", /Set it to performance/);
});

void test("a validation says how much lies inside, links every axis, and names a machine code that fails", () => {
  const good = fakeValidation(["native"]);
  const { document } = parseHTML(renderHtml({ kind: "validation", validation: good }));
  assert.equal(document.querySelectorAll("#overview tbody a").length, good.axes.length);
  const code = [{ subject: "native", ok: false, summary: "vectorised" }];
  const counts = { ...good.counts, outside: 0 };
  const failed = renderHtml({ kind: "validation", validation: { ...good, outcome: "outside", counts, code } });
  assert.match(failed, /Outside: the machine code of native does not do the work of the reference/);
});

void test("an explanation of a form that is not known is left out rather than guessed", () => {
  const run = { ...fakeRun({ seed: 1, seconds: 1 }), explanation: { version: 99 } };
  assert.doesNotMatch(renderHtml({ kind: "run", runs: [run] }), /Why wakeups were slow/);
});

const explained = (): { readonly run: RunResult; readonly found: Explanation } => {
  const found = fakeExplanation("burn");
  return { run: { ...fakeRun({ seed: 5, seconds: 3 }), explanation: found }, found };
};

void test("the top of an explained run's report says which cause most of the slow wakeups' time went to", () => {
  const { run, found } = explained();
  const html = renderHtml({ kind: "run", runs: [run] });
  const [main] = found.causes.toSorted((a, b) => b.usec - a.usec);
  const link = parseHTML(html).document.querySelector('.verdict a[href="#explain"], a[href="#explain"]');
  assert.ok(
    (link?.parentElement?.textContent ?? "").includes(`mostly ${main?.cause}`),
    link?.parentElement?.textContent ?? "",
  );
});

void test("legends of spans name their kinds in one order, whichever comes first in time", () => {
  const { run, found } = explained();
  const reversed = {
    ...found,
    worst: found.worst.map((one) => ({
      ...one,
      timeline: {
        ...one.timeline,
        cpus: one.timeline.cpus.map(({ cpu, spans }) => ({ cpu, spans: spans.toReversed() })).toReversed(),
      },
    })),
  };
  const keys = (explanation: Explanation): readonly string[] =>
    [
      ...parseHTML(renderHtml({ kind: "run", runs: [{ ...run, explanation }] })).document.querySelectorAll(
        "#explain ul.key, section ul.key",
      ),
    ].map((key) => key.textContent.replaceAll(/\s+/g, " "));
  assert.deepEqual(keys(reversed), keys(found));
});

void test("a bar that goes on beyond the wait is cut there, and pale outside of it", () => {
  const { run, found } = explained();
  const [one] = found.worst;
  assert.ok(one !== undefined);
  const span = { fromUsec: -50, toUsec: one.latencyUsec + 50, kind: "foreign", tid: 9, label: "solid" } as const;
  const solid = {
    ...found,
    worst: [{ ...one, timeline: { ...one.timeline, cpus: [{ cpu: one.cpuAfter, spans: [span] }] } }],
  };
  const { document } = parseHTML(renderHtml({ kind: "run", runs: [{ ...run, explanation: solid }] }));
  const bars = [...document.querySelectorAll("rect")].filter((rect) => rect.textContent.includes("solid"));
  const opacities = bars.slice(0, 3).map((bar) => Number(bar.getAttribute("fill-opacity") ?? 1));
  assert.deepEqual(opacities, [0.3, 1, 0.3]);
});

void test("an explanation that an earlier version stored, without the newer fields, is shown as before", () => {
  const { run, found } = explained();
  const { more: _, ...older } = found;
  const worst = older.worst.map(({ kick: _kick, steal: _steal, kernelSec: _sec, kernelTid: _tid, ...one }) => one);
  const html = renderHtml({ kind: "run", runs: [{ ...run, explanation: { ...older, worst } }] });
  assert.match(html, /id="explain"/);
});
