/**
 * Text from outside in a message: a value with a line break stays on its line, one with escape sequences leaves the
 * terminal alone, and one of a megabyte does not scroll the message away.
 */

/** More than any sensible value has. */
const MAX_CHARACTERS = 2000;

const NAMES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

// C0 and C1 controls, the separators that terminals break lines at, and the marks that turn the direction of writing.
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string =>
  NAMES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** A message on one line, with what cannot be seen written out and the middle of what is too long left out. */
export const oneVisibleLine = (message: string): string => {
  const half = MAX_CHARACTERS / 2;
  const short =
    message.length <= MAX_CHARACTERS
      ? message
      : `${message.slice(0, half)}… (${message.length - MAX_CHARACTERS} characters left out) …${message.slice(-half)}`;
  return short.replace(INVISIBLE, escaped);
};
