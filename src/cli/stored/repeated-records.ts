/** Runs that a store holds more than once, as one that was put together by hand may: each is judged once. */
import type { StoredExperiment } from "../../experiment/read-experiment.js";
import { runRegister } from "../../model/result/repeated-runs.js";
import type { Io } from "../io/command.js";

/** The experiment with each run once; says on stderr what was left out. */
export const onceInExperiment = <S extends Pick<StoredExperiment, "records">>(
  stored: S | null,
  file: string,
  { stderr }: Pick<Io, "stderr">,
): S | null => {
  if (stored === null) return null;
  const register = runRegister();
  const records = stored.records.filter(({ result }) => result === null || register.metAs(result, "") === null);
  const repeated = stored.records.length - records.length;
  if (repeated === 0) return stored;
  stderr.write(
    `schbench-ts: warning: ${repeated} ${repeated === 1 ? "run is" : "runs are"} in ${file} more than once; each is counted once\n`,
  );
  return { ...stored, records };
};
