/** The reports in a real browser: silent, self-contained, readable at every width, by keyboard, in the dark and on paper. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { renderHtml } from "../../src/render/reports/html-report.js";
import { noBrowser, startBrowser } from "../helpers/render/render-browser.js";
import { fakeReports, hostileReports } from "../helpers/render/render-reports.js";

interface Setting {
  readonly width: number;
  readonly scheme: "light" | "dark";
}

interface Opened {
  readonly page: Page;
  /** Console messages, errors, dialogs, requests for anything but the file. */
  readonly noise: readonly string[];
}

// Expressions for the page are texts: the project is compiled without the types of a browser.
const OVERFLOW = "document.documentElement.scrollWidth - window.innerWidth";

const OUTSIDE = `[...document.querySelectorAll("svg text")]
  .filter((text) => text.checkVisibility())
  .map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }))
  .filter(({ box }) => box.width > 0 && (box.left < 0 || box.right > window.innerWidth + 0.5))
  .map(({ text }) => text)`;

const SMALLEST_TEXT = `Math.min(...[...document.querySelectorAll("svg")]
  .filter((svg) => svg.checkVisibility())
  .flatMap((svg) => [...svg.querySelectorAll("text")].map((text) =>
    parseFloat(getComputedStyle(text).fontSize) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)))`;

const CHARTS_WITHOUT_UNIT = `[...document.querySelectorAll("svg")]
  .filter((svg) => svg.checkVisibility())
  .filter((svg) => ![...svg.querySelectorAll('g[aria-label$="axis label"]')].every((label) => /\\(.+\\)/.test(label.textContent)))
  .length`;

/** Contrast of every text with what lies behind it, the least first, as the web content guidelines count it. */
const CONTRASTS = `(() => {
  const parse = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (colour) => {
    const [r, g, b] = parse(colour).slice(0, 3).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      const parts = parse(colour);
      if (parts.length === 3 || (parts.length === 4 && parts[3] > 0)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const barBehind = (text) => {
    text.scrollIntoView({ block: "center" });
    const box = text.getBoundingClientRect();
    const under = document.elementsFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return under.find((element) => element.matches("svg rect"));
  };
  const behind = (element) => {
    const chart = element.closest("svg");
    const isOnBar = element.matches("svg text") &&
      (getComputedStyle(element).fill === ground(document.body) || element.closest('[aria-label="change in its cell"]') !== null);
    const bar = isOnBar ? barBehind(element) : undefined;
    return bar === undefined ? ground(chart?.parentElement ?? element) : getComputedStyle(bar).fill;
  };
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  return [...document.querySelectorAll("p, li, a, h1, h2, h3, th, td, summary, code, svg text")]
    .filter((element) => element.checkVisibility() && element.textContent.trim() !== "" && !element.closest(".skip"))
    .map((element) => {
      const style = getComputedStyle(element);
      const colour = element.matches("svg text") ? style.fill : style.color;
      return { text: element.textContent.trim().slice(0, 40), ratio: ratio(light(colour), light(behind(element))) };
    })
    .filter(({ ratio: found }) => !(found >= 4.5))
    .sort((a, b) => a.ratio - b.ratio)
    .slice(0, 3);
})()`;

describe("reports in a browser", { skip: noBrowser() }, () => {
  const folder = mkdtempSync(join(tmpdir(), "schbench-browser-"));
  let browser: Browser | undefined;

  before(async () => {
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  const open = async (name: string, html: string, { width, scheme }: Setting): Promise<Opened> => {
    assert.ok(browser !== undefined);
    const path = join(folder, `${name}.html`);
    writeFileSync(path, html);
    const url = pathToFileURL(path).href;
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
    const page = await context.newPage();
    const noise: string[] = [];
    page.on("console", (message) => void noise.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => void noise.push(`error: ${error.message}`));
    page.on("request", (request) => {
      if (request.url() !== url) noise.push(`request: ${request.url()}`);
    });
    page.on("dialog", (dialog) => {
      noise.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(url, { waitUntil: "load" });
    return { page, noise };
  };

  const reports = Object.entries(fakeReports()).map(([name, input]) => ({ name, html: renderHtml(input) }));
  const hostile = Object.entries(hostileReports()).map(([name, input]) => ({
    name: `hostile-${name}`,
    html: renderHtml(input),
  }));

  for (const { name, html } of [...reports, ...hostile])
    for (const width of [400, 1600])
      void test(`${name} at ${width} pixels: silent, nothing wider than the window, every text legible, axes with units`, async () => {
        const { page, noise } = await open(name, html, { width, scheme: "light" });
        assert.ok(Number(await page.evaluate(OVERFLOW)) <= 0, "no horizontal scrolling");
        if (!name.startsWith("hostile")) assert.deepEqual(await page.evaluate(OUTSIDE), []);
        assert.ok(Number(await page.evaluate(SMALLEST_TEXT)) >= 9, "text of charts is at least 9 pixels high");
        assert.equal(await page.evaluate(CHARTS_WITHOUT_UNIT), 0);
        assert.deepEqual(noise, []);
        await page.context().close();
      });

  for (const { name, html } of hostile)
    void test(`${name}: the texts are shown, and do nothing`, async () => {
      const { page, noise } = await open(name, html, { width: 1600, scheme: "light" });
      assert.equal(await page.locator("script").count(), 1);
      assert.equal(await page.locator("img, iframe, object, embed").count(), 0);
      assert.match((await page.locator("body").textContent()) ?? "", /<\/script><script>alert\(1\)<\/script>/);
      await page.locator("summary").first().click();
      await page.mouse.move(300, 300);
      assert.deepEqual(noise, []);
      await page.context().close();
    });

  for (const { name, html } of reports)
    for (const scheme of ["light", "dark"] as const)
      void test(`${name}, ${scheme}: every text stands out from its ground by 4.5 to 1`, async () => {
        const { page } = await open(name, html, { width: 1600, scheme });
        assert.deepEqual(await page.evaluate(CONTRASTS), []);
        await page.context().close();
      });

  for (const { name, html } of reports)
    void test(`${name}: the keyboard skips to the verdict, reaches every chart and opens the numbers`, async () => {
      const { page } = await open(name, html, { width: 1600, scheme: "light" });
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate("document.activeElement.className"), "skip");
      await page.keyboard.press("Enter");
      assert.equal(await page.evaluate("document.activeElement.id"), "report");
      const reached = new Set<unknown>();
      for (let i = 0; i < 400; i++) {
        await page.keyboard.press("Tab");
        const where = await page.evaluate(
          `document.activeElement === document.body ? null : [...document.querySelectorAll("*")].indexOf(document.activeElement)`,
        );
        if (where === null || reached.has(where)) break;
        reached.add(where);
      }
      const charts = await page.evaluate(`[...document.querySelectorAll("*")].flatMap((element, i) =>
        element.matches("svg, summary") && element.checkVisibility() ? [i] : [])`);
      assert.ok(Array.isArray(charts) && charts.length > 0);
      for (const chart of charts) assert.ok(reached.has(chart), `element ${String(chart)} is reached`);
      await page.locator("summary").first().focus();
      await page.keyboard.press("Enter");
      assert.equal(await page.locator("details[open]").count(), 1);
      assert.ok(await page.locator("details[open] table").first().isVisible());
      await page.context().close();
    });

  void test("on paper the ground is white in the dark too, the numbers are open and the wide charts are drawn", async () => {
    const comparison = reports.find(({ name }) => name === "comparison");
    assert.ok(comparison !== undefined);
    const { page } = await open("paper", comparison.html, { width: 400, scheme: "dark" });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert.equal(await page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)");
    assert.equal(
      await page.evaluate(
        `[...document.querySelectorAll("details table")].filter((table) => !table.checkVisibility({ contentVisibilityAuto: true }) || table.getBoundingClientRect().height === 0).length`,
      ),
      0,
    );
    assert.equal(await page.locator(".narrow").first().isVisible(), false);
    assert.equal(await page.locator(".wide").first().isVisible(), true);
    const pdf = await page.pdf();
    assert.equal(pdf.subarray(0, 4).toString(), "%PDF");
    await page.context().close();
  });
});
