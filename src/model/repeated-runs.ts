/**
 * Runs that are there more than once: a store that was copied, a file that was named twice, a run on both sides of a
 * comparison. Counted twice, they make a difference significant. Pure.
 */
import type { RunResult } from "./run-result.js";

/**
 * What a run found out, whichever file it was read from. The course of a run, seconds and threads, adds nothing: no two runs agree in
 * all of this.
 */
export const contentOf = (run: RunResult): string => {
  const { source, plan, host, startedAt, runtimeSec, measuredSec, loops, schedDelay, rate, transfer } = run;
  const from = source.kind === "parsed" ? { ...source, file: "", line: 0 } : source;
  const { jobname, commandLine, wakeup, request, response, rps, averageRps } = run;
  return JSON.stringify([
    [from, plan, host, jobname, commandLine],
    [startedAt, runtimeSec, measuredSec, loops, averageRps, schedDelay, rate, transfer],
    [wakeup, request, response, rps],
  ]);
};

/** Remembers runs, each with the name under which it was met first. */
export interface RunRegister {
  /** The name under which this very run is known; null: it is new, and known from now on. */
  readonly metAs: (run: RunResult, name: string) => string | null;
}

/** The runs that began at one moment. */
interface Began {
  readonly first: { readonly run: RunResult; readonly name: string };
  /** Names by content, of all of them; null: there is one, and nobody has asked what it holds. */
  readonly names: Map<string, string> | null;
}

/**
 * An empty register. Only runs that say when they began are told apart: tables of a few figures, all that older output has, may be
 * alike by chance.
 */
export const runRegister = (): RunRegister => {
  const byStart = new Map<string, Began>();
  return {
    metAs: (run, name) => {
      const { startedAt } = run;
      if (startedAt === null) return null;
      const began = byStart.get(startedAt);
      if (began === undefined) {
        byStart.set(startedAt, { first: { run, name }, names: null });
        return null;
      }
      // Machines may begin at the same moment, so the content decides; few begin together, so it is seldom looked at.
      const names = began.names ?? new Map([[contentOf(began.first.run), began.first.name]]);
      if (began.names === null) byStart.set(startedAt, { ...began, names });
      const content = contentOf(run);
      const met = names.get(content);
      if (met === undefined) names.set(content, name);
      return met ?? null;
    },
  };
};
