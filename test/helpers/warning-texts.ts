/** Every text that a warning can have, read from the sources: the literals of the files that make warnings. */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

/** A literal of a source, with a 7 in place of each inserted number, and an `a` in place of each inserted name. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

const CODE = /\bcode: "[a-z]+(?:-[a-z]+)*"/;
const NAME = /^(?:name|both|label|metric\.label|code|what|where|kind|base\.name|candidate\.name)$/;

/** The end of a quoted text that starts at an offset, and what stands in it. */
const literalAt = (source: string, start: number): { readonly text: string; readonly end: number } => {
  const quote = source.charAt(start);
  let text = "";
  let index = start + 1;
  while (index < source.length && source.charAt(index) !== quote) {
    if (source.charAt(index) === "\\") {
      text += source.charAt(index + 1);
      index += 2;
    } else if (quote === "`" && source.startsWith("${", index)) {
      const end = insertionEnd(source, index + 2);
      text += NAME.test(source.slice(index + 2, end).trim()) ? "a" : "7";
      index = end + 1;
    } else {
      text += source.charAt(index);
      index++;
    }
  }
  return { text, end: index + 1 };
};

/** The brace that closes an insertion. */
const insertionEnd = (source: string, start: number): number => {
  let depth = 0;
  let index = start;
  for (; index < source.length;) {
    const char = source.charAt(index);
    if (char === '"' || char === "'" || char === "`") {
      index = literalAt(source, index).end;
      continue;
    }
    if (char === "{") depth++;
    if (char === "}" && depth-- === 0) break;
    index++;
  }
  return index;
};

/** All texts in quotes of a source; also those within insertions of others. */
const literalsOf = (source: string): readonly string[] => {
  const texts: string[] = [];
  for (let index = 0; index < source.length;) {
    const char = source.charAt(index);
    if (char === '"' || char === "`") {
      const { text, end } = literalAt(source, index);
      texts.push(text);
      for (const [, inner = ""] of source.slice(index, end).matchAll(/\$\{([^`]*?["`].*?)\}/gs))
        texts.push(...literalsOf(inner));
      index = end;
    } else index++;
  }
  return texts;
};

/** Comments and regular expressions may hold lone quotes. */
const withoutNoise = (source: string): string =>
  source
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/^\s*\/\/.*$/gm, "")
    .replaceAll(/(?<=[(=,:[]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g, "0");

const sources = (): readonly string[] =>
  readdirSync(resolve("src"), { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".ts") && !file.startsWith("codegen/"))
    .toSorted();

/** Files of `src` that make warnings, or what is like one: a code with a message. */
export const warningFiles = (): readonly string[] =>
  sources().filter((file) => {
    const source = withoutNoise(readFileSync(resolve("src", file), "utf8"));
    return CODE.test(source) || /\b(?:Warning|Doubt)\b/.test(source);
  });

/** Every code of a warning, where its file says it as one. */
export const warningCodes = (): readonly string[] =>
  warningFiles().flatMap((file) =>
    [...readFileSync(resolve("src", file), "utf8").matchAll(/\bcode: "([a-z]+(?:-[a-z]+)*)"/g)].map(
      ([, code = ""]) => code,
    ),
  );

/** Every text of these files, imports left out. */
export const sourceTexts = (files: readonly string[]): readonly SourceText[] =>
  files.flatMap((file) => {
    const source = withoutNoise(readFileSync(resolve("src", file), "utf8")).replaceAll(
      /^(?:import|export)[^;]*? from "[^"]*";/gm,
      "",
    );
    return literalsOf(source).map((text) => ({ file, text }));
  });
