/**
 * Text from outside: a value with a line break stays on its line of a message, one of a megabyte does not scroll the message
 * away, and nothing that a name, a trace or another program says reaches a terminal as a command to it.
 */

/** More than any sensible value has. */
const MAX_CHARACTERS = 2000;

const NAMES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

// C0 and C1 controls, the separators that terminals break lines at, and the marks that turn the direction of writing.
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** As JSON writes it, so that what is JSON remains the same value. */
const escaped = (character: string): string =>
  NAMES[character] ?? `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;

/** A message on one line, with what cannot be seen written out and the middle of what is too long left out. */
export const oneVisibleLine = (message: string): string => {
  const half = MAX_CHARACTERS / 2;
  const short =
    message.length <= MAX_CHARACTERS
      ? message
      : `${message.slice(0, half)}… (${message.length - MAX_CHARACTERS} characters left out) …${message.slice(-half)}`;
  return short.replace(INVISIBLE, escaped);
};

const ESC = "\u001b";
/** The sequences that this program itself writes to a terminal: a line begun anew, and its colours. */
const OWN_SEQUENCES: ReadonlySet<string> = new Set([
  `\r${ESC}[K`,
  ...[0, 1, 2, 22, 31, 32, 33, 34, 35, 36, 39, 90].map((colour) => `${ESC}[${colour}m`),
]);
/** A sequence that may be ours, or a single character that would not be seen. */
const TO_BE_SEEN = new RegExp(`\\r${ESC}\\[K|${ESC}\\[\\d+m|${INVISIBLE.source}`, "gu");

/** The table of an experiment is drawn over itself: up at the very beginning of what is written, and clear below at its very end. */
const REDRAWN = new RegExp(`^(${ESC}\\[\\d{1,3}A)(\\r${ESC}\\[K[\\s\\S]*?)(${ESC}\\[J)?$`, "u");

/**
 * Text as a stream shows it: the one place through which everything that is printed goes. Control characters, separators that
 * break lines and marks that turn the direction of writing are written out as JSON writes them (`\u001b`), so that JSON
 * remains the same value.
 */
export const visibleText = (text: string, isTerminal: boolean): string => {
  const isShown = (found: string): boolean =>
    found === "\n" || found === "\t" || (isTerminal && OWN_SEQUENCES.has(found));
  const [, up = "", within = text, below = ""] = (isTerminal && REDRAWN.exec(text)) || [];
  const shown = within.replace(TO_BE_SEEN, (found) => (isShown(found) ? found : found.replace(INVISIBLE, escaped)));
  return `${up}${shown}${below}`;
};
