/**
 * Foreign words within a warning: a subject's name, a scheduler's, a remark in a mail. Programs that read schbench's text
 * line by line take every `min=3` for a minimum and every `12:` at the start of a line for a row.
 */
import type { Warning } from "./run-result.js";

/** A warning's text in which no such program finds a number that it looks for; it reads the same to a person. */
export const asWarningText = (text: string): string =>
  text.replaceAll(/min(?=[=\d])/giu, "$& ").replace(/^(\s*)([\d.,]+)(?=\s*:)/u, '$1"$2"');

/** The warnings with harmless texts. */
export const harmlessWarnings = (warnings: readonly Warning[]): Warning[] =>
  warnings.map((warning) => ({
    ...warning,
    message: asWarningText(warning.message),
    cure: warning.cure === null ? null : asWarningText(warning.cure),
  }));
