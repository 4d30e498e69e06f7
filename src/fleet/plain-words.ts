/**
 * Words that come through whatever starts commands elsewhere as they are. ssh joins its arguments with blanks and hands them to the
 * user's shell there, srun and kubectl start the words themselves: quotes that the one needs, the others would pass on. So each
 * word is written with letters that neither a shell nor a start without one touches, the rest as %XX. Pure.
 */
import { UserError } from "../errors.js";

/** No shell gives these a meaning; zsh gives one to an equals sign at a word's beginning, and to no other. */
const UNTOUCHED = /[A-Za-z0-9_./:,@=-]/;
/** No word has a NUL, so it stands for the word without a letter, which a shell would drop. */
const EMPTY_WORD = "%00";

const plainByte = (byte: number, index: number): string => {
  const letter = String.fromCharCode(byte);
  return UNTOUCHED.test(letter) && !(letter === "=" && index === 0)
    ? letter
    : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
};

/** Whether a word comes through as it is. */
export const isPlain = (word: string): boolean => /^[A-Za-z0-9_./:,@-]+$/.test(word);

/** Such as `b=-n%206` for `b=-n 6`. */
export const plainWord = (word: string): string =>
  word === "" ? EMPTY_WORD : [...Buffer.from(word)].map(plainByte).join("");

/**
 * The word that was made plain.
 *
 * @throws UserError for what plainWord does not write
 */
export const wordOf = (plain: string): string => {
  if (plain === EMPTY_WORD) return "";
  try {
    return decodeURIComponent(plain);
  } catch (thrown) {
    throw new UserError(`cannot read the word "${plain}": allowed are letters, digits, _./:,@=- and %XX`, undefined, {
      cause: thrown,
    });
  }
};
