/** Sweeps of one subject, shown: of the experiment that was made here, or of each machine's. */
import { type Sweep, summarizeSweep, type SweptRuns } from "../../compare/sweep.js";
import { EXIT, type ExitCode } from "../../errors.js";
import { measuredResults, type RunRecord } from "../../experiment/record.js";
import type { Subject } from "../../experiment/subject.js";
import { sweepMarkdown, sweepText } from "../../render/comparison/sweep-text.js";
import { keepAll, readStore } from "../stored/stored-runs.js";
import type { variedCells } from "../experiment/varied-cells.js";
import type { FleetEnd } from "../fleet/fleet-line.js";
import type { Io } from "../io/command.js";
import { openText } from "../io/open-text.js";
import { compareSettings } from "../options/judge-options.js";

/** What is swept. */
interface Swept {
  readonly subjects: readonly Subject[];
  readonly varied: ReturnType<typeof variedCells>;
}

/** The runs of an experiment, by subject and point. */
export const sweptRuns = ({ subjects, varied }: Swept, records: readonly RunRecord[]): readonly SweptRuns[] =>
  subjects.flatMap(({ name }) =>
    varied.cells.map(({ values, cell }): SweptRuns => ({
      subject: name,
      values,
      runs: measuredResults(records, name, cell.name),
    })),
  );

/** The sweep of one subject, in a format that shows one. */
export const sweepWritten = (sweep: Sweep, format: string): string => {
  if (format === "json") return `${JSON.stringify(sweep, null, 2)}\n`;
  return format === "markdown" ? sweepMarkdown(sweep) : sweepText(sweep);
};

/** The sweep of one subject on several machines, each by itself: where it bends depends on the machine. */
export const showSweeps = async (
  stores: FleetEnd["stores"],
  swept: Swept,
  options: Parameters<typeof compareSettings>[0] & {
    readonly seed: number;
    readonly format: string;
  },
  io: Io,
): Promise<ExitCode> => {
  const { metrics } = compareSettings(options, options.seed);
  const sweeps: (readonly [string, Sweep])[] = [];
  for (const { name, path } of stores) {
    const stored = await readStore(await openText(path, io), path, { keep: keepAll, io });
    sweeps.push([name, summarizeSweep(swept.varied.names, sweptRuns(swept, stored?.records ?? []), metrics)]);
  }
  if (options.format === "json") io.stdout.write(`${JSON.stringify(Object.fromEntries(sweeps), null, 2)}\n`);
  else for (const [name, sweep] of sweeps) io.stdout.write(`${name}\n\n${sweepWritten(sweep, options.format)}\n`);
  return EXIT.ok;
};
