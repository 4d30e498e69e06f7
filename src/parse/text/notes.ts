/** What a line was read in spite of, and the warnings that say so. */
import { at } from "../../at.js";
import { asWarningText } from "../../model/result/warning-text.js";
import type { Warning } from "../../model/result/run-result.js";

/** A doubt about one line; `quote` is the remark, or what had been wrapped to the next line. */
export interface Note {
  readonly kind: "remark" | "wrapped";
  readonly line: number;
  readonly quote: string;
}

const LONGEST_QUOTE = 80;

/** Words of a text in quotes, shortened where they are many. */
export const quoted = (text: string): string =>
  `"${text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE - 1)}…` : text}"`;

const remarkWarning = ({ line, quote }: Note): Warning => ({
  code: "remark-left-out",
  message: asWarningText(`line ${line} ends with a remark, which was left out: ${quoted(quote)}`),
  cure: null,
});

const wrappedWarning = (wrapped: readonly Note[]): Warning => {
  const { line, quote } = at(wrapped, 0);
  const many = wrapped.length > 1;
  return {
    code: "wrapped-lines",
    message: asWarningText(
      `${many ? `${wrapped.length} lines` : "a line"} had been wrapped: ${many ? "the first, " : ""}line ${line}, goes on with ${quoted(quote)}`,
    ),
    cure: null,
  };
};

/** One warning per remark, one for all wrapped lines. */
export const noteWarnings = (notes: readonly Note[]): readonly Warning[] => {
  const wrapped = notes.filter(({ kind }) => kind === "wrapped");
  return [
    ...notes.filter(({ kind }) => kind === "remark").map(remarkWarning),
    ...(wrapped.length === 0 ? [] : [wrappedWarning(wrapped)]),
  ];
};
