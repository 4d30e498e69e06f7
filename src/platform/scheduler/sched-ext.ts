/** Which sched_ext scheduler is in charge. Upstream counterpart: print_sched_ext_info. */
import { type Files, readNumber, readValue } from "../files.js";

/** State of sched_ext at one moment. */
export interface SchedExt {
  /** The kernel can load sched_ext schedulers at all. */
  readonly supported: boolean;
  /** Name of the scheduler in charge, or `disabled`, as upstream's JSON has it. */
  readonly name: string;
  /** Rises with every scheduler that is loaded, so that a reload of the same one shows; null where not told. */
  readonly enableSeq: number | null;
  /** False: only tasks that ask for SCHED_EXT are under it, and benchmark threads do not; null where not told. */
  readonly switchAll: boolean | null;
}

const FOLDER = "/sys/kernel/sched_ext";

/** Reads the state of sched_ext; cheap enough to be read before and after every run. */
export const readSchedExt = (files: Files): SchedExt => {
  const state = readValue(files, `${FOLDER}/state`);
  if (state === null) return { supported: false, name: "disabled", enableSeq: null, switchAll: null };
  const switchAll = readNumber(files, `${FOLDER}/switch_all`);
  return {
    supported: true,
    name: (state === "disabled" ? null : readValue(files, `${FOLDER}/root/ops`)) ?? "disabled",
    enableSeq: readNumber(files, `${FOLDER}/enable_seq`),
    switchAll: switchAll === null ? null : switchAll !== 0,
  };
};
