/** What the blocks of a comparison are called. */
import type { Comparison } from "../../compare/comparison.js";

/** Machine, boot or file; a node where a row has only the name of a machine. */
export const blockWord = ({ by, scope }: NonNullable<Comparison["blocks"]>): string =>
  by === "machine" && scope === "these" ? "node" : (by ?? "block");
