/** XML without a document type, read as strictly as a validating reader does: what is not well-formed throws. For tests. */

/** An element. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  text: string;
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Characters that XML 1.0 allows. */
const ALLOWED = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

const decoded = (text: string): string => {
  if (/[<]|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/iu.test(text)) throw new Error(`not escaped: ${text}`);
  return text.replaceAll(/&(#x?)?(\w+);/gu, (_whole, mark: string | undefined, name: string) =>
    mark === undefined ? (NAMED[name] ?? "") : String.fromCodePoint(Number.parseInt(name, mark === "#" ? 10 : 16)),
  );
};

const attributesIn = (text: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  const rest = text.replaceAll(/\s+([\w:-]+)="([^"<]*)"/gu, (_whole, name: string, value: string) => {
    if (found.has(name)) throw new Error(`twice: ${name}`);
    found.set(name, decoded(value));
    return "";
  });
  if (rest.trim() !== "") throw new Error(`not an attribute: ${rest}`);
  return found;
};

/** The root element of a document; throws for one that is not well-formed. */
export const strictXml = (document: string): XmlElement => {
  if (!ALLOWED.test(document)) throw new Error("a character that XML cannot hold");
  const body = document.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/u, "");
  const top: XmlElement = { name: "", attributes: new Map(), children: [], text: "" };
  const open: XmlElement[] = [top];
  const innermost = (): XmlElement => open.at(-1) ?? top;
  let at = 0;
  for (const found of body.matchAll(/<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/gu)) {
    innermost().text += decoded(body.slice(at, found.index));
    at = found.index + found[0].length;
    const [, closes, name = "", attributes = "", isEmpty] = found;
    if (closes === "/") {
      if (open.length < 2 || open.pop()?.name !== name) throw new Error(`closed without being open: ${name}`);
      continue;
    }
    const element: XmlElement = { name, attributes: attributesIn(attributes), children: [], text: "" };
    innermost().children.push(element);
    if (isEmpty !== "/") open.push(element);
  }
  innermost().text += decoded(body.slice(at));
  const [root, ...others] = top.children;
  if (open.length > 1 || root === undefined || others.length > 0 || top.text.trim() !== "")
    throw new Error("not one element");
  return root;
};
