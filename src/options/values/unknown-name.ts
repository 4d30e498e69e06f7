/** The error about a name that does not exist. Finding the nearest one is left to whoever shows the error. */
import { UsageError } from "../../errors.js";

/** A wrong command line with a name that is none; `nearestName(wrong, known)` of suggest.ts finds what was meant. */
export class UnknownNameError extends UsageError {
  /**
   * @param message as in UserError
   * @param wrong the name as it was written
   * @param known the names there are
   * @param otherwise the remedy where none of them is near
   */
  constructor(
    message: string,
    readonly wrong: string,
    readonly known: readonly string[],
    readonly otherwise?: string,
  ) {
    super(message);
  }
}
