/**
 * HTML that is escaped by construction: the template tag escapes every string put into it, and only markup made by the
 * tag (or declared safe where it is generated) passes unchanged. Nothing else in render/ concatenates HTML.
 */

/** Markup that needs no escaping any more. */
export interface Markup {
  readonly markup: string;
}

/** What may stand in a template: text (escaped), numbers, markup, or several of these; null and false leave nothing. */
export type Content = string | number | Markup | null | false | readonly Content[];

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** Characters that a browser may not show or may use to reorder the text around them. */
const isInvisible = (code: number): boolean =>
  (code < 0x20 && code !== 0x09 && code !== 0x0a) ||
  (code >= 0x7f && code <= 0x9f) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2066 && code <= 0x2069) ||
  (code >= 0xd800 && code <= 0xdfff);

/** Text without control, reordering and broken characters: each is shown as U+FFFD. */
export const visibleText = (text: string): string => {
  let out = "";
  for (const character of text) out += isInvisible(character.codePointAt(0) ?? 0) ? "\uFFFD" : character;
  return out;
};

/** Text as it may stand between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  visibleText(text).replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? "");

const isList = (content: Content): content is readonly Content[] => Array.isArray(content);

const render = (content: Content): string => {
  if (content === null || content === false) return "";
  if (typeof content === "string") return escapeHtml(content);
  if (typeof content === "number") return String(content);
  return isList(content) ? content.map(render).join("") : content.markup;
};

/**
 * Template tag: literal parts are markup, their indentation is left out; everything put in is escaped unless it is markup
 * itself.
 */
export const markup = (literals: TemplateStringsArray, ...contents: readonly Content[]): Markup => ({
  markup: literals.map((literal, i) => literal.replace(/\n +/g, "\n") + render(contents[i] ?? null)).join(""),
});

/** Declares generated text to be markup; for the output of serialisers only. */
export const trustedMarkup = (generated: string): Markup => ({ markup: generated });
