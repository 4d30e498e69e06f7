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

/** What tells nearly all runs apart: two hundred machines may begin at one moment. */
const briefOf = ({ startedAt, host, loops, averageRps }: RunResult): string =>
  JSON.stringify([startedAt, host?.hostname, loops, averageRps]);

/** The runs that are alike in brief. */
interface Alike {
  readonly first: { readonly run: RunResult; readonly name: string };
  /** Names by content, of all of them; null: there is one, and nobody has asked what it holds. */
  readonly names: Map<string, string> | null;
}

/**
 * An empty register. Only runs that say when they began are told apart: tables of a few figures, all that older output has, may be
 * alike by chance.
 */
export const runRegister = (): RunRegister => {
  const byBrief = new Map<string, Alike>();
  return {
    metAs: (run, name) => {
      if (run.startedAt === null) return null;
      const brief = briefOf(run);
      const alike = byBrief.get(brief);
      if (alike === undefined) {
        byBrief.set(brief, { first: { run, name }, names: null });
        return null;
      }
      // The content decides; few runs are alike in brief, so it is seldom looked at.
      const names = alike.names ?? new Map([[contentOf(alike.first.run), alike.first.name]]);
      if (alike.names === null) byBrief.set(brief, { ...alike, names });
      const content = contentOf(run);
      const met = names.get(content);
      if (met === undefined) names.set(content, name);
      return met ?? null;
    },
  };
};
