import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parseHTML } from "linkedom";
import { escapeHtml, markup, trustedMarkup, visibleText } from "../../../src/render/html/markup.js";
import { HOSTILE } from "../../helpers/render/render-reports.js";

void test("text put into markup is escaped, markup put into markup is not", () => {
  assert.equal(markup`<p>${"<b> & \"'"}</p>`.markup, "<p>&lt;b&gt; &amp; &quot;&#39;</p>");
  assert.equal(markup`<p>${markup`<b>${"<"}</b>`}</p>`.markup, "<p><b>&lt;</b></p>");
  assert.equal(markup`<p>${trustedMarkup("<i>")}</p>`.markup, "<p><i></p>");
});

void test("lists are put in one after the other, null and false leave nothing, zero stays", () => {
  assert.equal(markup`${["a", markup`<br>`, ["<"]]}|${null}|${false}|${0}`.markup, "a<br>&lt;|||0");
});

void test("the indentation of the template is left out, that of a text stays", () => {
  assert.equal(
    markup`<p>
      ${"a\n      b"}</p>`.markup,
    "<p>\na\n      b</p>",
  );
});

void test("control, reordering and broken characters are shown as such", () => {
  assert.equal(visibleText("a\u0000b\u202Ec\u2066d\uD800e\u007Ff"), "a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFDf");
  assert.equal(visibleText("tab\tand\nnewline, ü and 😀"), "tab\tand\nnewline, ü and 😀");
});

void test("a property: any text comes out of a parser as it was put in, as text and as an attribute", () => {
  const texts = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...HOSTILE));
  fc.assert(
    fc.property(texts, (text) => {
      const { document } = parseHTML(`<html><body>${markup`<p title="${text}">x${text}</p>`.markup}</body></html>`);
      const paragraphs = document.querySelectorAll("p");
      assert.equal(paragraphs.length, 1);
      assert.equal(document.querySelectorAll("*").length, 3);
      assert.equal(paragraphs[0]?.textContent, `x${visibleText(text)}`);
      assert.equal(paragraphs[0]?.getAttribute("title"), visibleText(text));
    }),
  );
});

void test("a property: no character with a meaning in HTML survives escaping", () => {
  fc.assert(
    fc.property(fc.string(), (text) => assert.doesNotMatch(escapeHtml(text), /[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/)),
  );
});
