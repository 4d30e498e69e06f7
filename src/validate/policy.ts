/** Which rule decides where none is asked for. Pure. */
import type { ExperimentHeader } from "../experiment/record.js";
import { pairsForBound } from "../stats/significance/signed-rank.js";
import { DEFAULT_LEVEL } from "./by-round.js";
import type { Policy } from "./validation.js";

/** By round where every axis is planned with enough rounds for it; else by averages, as ever. */
export const defaultPolicy = (header: Pick<ExperimentHeader, "cells" | "rounds">, references: number): Policy => {
  const fewest = Math.min(...header.cells.map((cell) => cell.rounds ?? header.rounds));
  return fewest >= pairsForBound(DEFAULT_LEVEL / references) ? "by-round" : "measured";
};
