/**
 * The page around a report: one file that asks the network for nothing, runs nothing, and says so to the browser in a
 * content security policy. The style sheet is allowed by its hash, everything else is refused.
 */
import { createHash } from "node:crypto";
import { type Content, type Markup, markup, trustedMarkup } from "./markup.js";
import { STYLE_SHEET } from "./style-sheet.js";

/** One section of the page; the contents list links to it. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Content;
}

/** What a report begins with. */
export interface Verdict {
  /** One character that tells the verdict without colour. */
  readonly symbol: string;
  /** The verdict in one sentence. */
  readonly sentence: Content;
  /** What else to know about it; null: nothing. */
  readonly more: Content;
}

/** The parts of a page. */
export interface Page {
  /** Kind of report, such as "Comparison". */
  readonly kind: string;
  readonly title: string;
  /** A line under the title: when, where. */
  readonly meta: Content;
  readonly verdict: Verdict;
  readonly sections: readonly Section[];
  /** The data block. */
  readonly data: Markup;
}

const styleHash = createHash("sha256").update(STYLE_SHEET).digest("base64");

/** The policy of every report: nothing but its own style sheet. */
const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;

/** The whole document as text. */
export const page = ({ kind, title, meta, verdict, sections, data }: Page): string =>
  markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="generator" content="schbench-ts" />
        <title>${title}</title>
        <style>${trustedMarkup(STYLE_SHEET)}</style>
      </head>
      <body>
        <a class="skip" href="#report">Skip to the verdict</a>
        <header>
          <p class="kind">schbench · ${kind}</p>
          <h1><bdi>${title}</bdi></h1>
          <p class="meta">${meta}</p>
        </header>
        <main id="report" tabindex="-1">
          <section class="verdict" aria-label="Verdict">
            <span class="symbol" aria-hidden="true">${verdict.symbol}</span>
            <p>${verdict.sentence}</p>
            ${verdict.more === null ? null : markup`<div class="more">${verdict.more}</div>`}
          </section>
          <nav aria-label="Contents">
            <ul class="contents">
              ${sections.map(({ id, title: name }) => markup`<li><a href="#${id}">${name}</a></li>`)}
            </ul>
          </nav>
          ${sections.map(
            (section) =>
              markup`<section id="${section.id}" aria-labelledby="${section.id}-title">
                <h2 id="${section.id}-title">${section.title}</h2>
                ${section.body}
              </section> `,
          )}
        </main>
        <footer>
          <p>
            Made by schbench-ts. The results are embedded in this file: <code>schbench-ts compare</code> and
            <code>schbench-ts report</code> read them back.
          </p>
        </footer>
        ${data}
      </body>
    </html>
`.markup;
