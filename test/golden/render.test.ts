/**
 * What a reader of each HTML report reads, in order: its texts, tables and the words a chart has for those who do not see
 * it. UPDATE_GOLDEN=1 writes the expected files anew.
 */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { renderHtml } from "../../src/render/reports/html-report.js";
import { fakeReports } from "../helpers/render/render-reports.js";

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };

/** Tables behind charts are long and come from the same numbers: the first rows do. */
const MOST_ROWS = 12;

const readable = (html: string): string =>
  html
    .replace(/<head>[\s\S]*<\/head>/, "")
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<div class="narrow">[\s\S]*?<\/div>/g, "")
    .replace(/<svg[^>]*\saria-label="([^"]*)"[\s\S]*?<\/svg>/g, "\n[chart: $1]\n")
    .replace(/<tbody>([\s\S]*?)<\/tbody>/g, (_whole, body: string) => {
      const rows = body.split("</tr>").slice(0, -1);
      const more = rows.length > MOST_ROWS ? `\n… ${rows.length - MOST_ROWS} more rows` : "";
      return rows.slice(0, MOST_ROWS).join("</tr>") + more;
    })
    .replace(/\s*<(?:th|td)[^>]*>/g, " | ")
    .replace(/<(?:h1|h2)[^>]*>/g, "\n\n# ")
    .replace(/<h3[^>]*>/g, "\n\n## ")
    .replace(/<(?:p|tr|li|br|summary|caption|figure|section|div|pre)[^>]*>/g, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&(lt|gt|quot|#39|amp);/g, (_whole, name: string) => ENTITIES[name] ?? "")
    .replace(/[ \t]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

for (const [name, input] of Object.entries(fakeReports()))
  void test(`the ${name} report reads as expected`, () => {
    const path = resolve("test/golden/expected/render", `${name}.txt`);
    const text = `${readable(renderHtml(input))}\n`;
    if (process.env["UPDATE_GOLDEN"] === "1") {
      mkdirSync(resolve("test/golden/expected/render"), { recursive: true });
      writeFileSync(path, text);
    }
    assert.equal(text, readFileSync(path, "utf8"));
  });
