/** A run as far as it is judged and merged. */
import type { RunResult } from "./run-result.js";

/** The run without its course: neither what each second and interval was like nor what each thread did. */
export const withoutCourse = (run: RunResult): RunResult => ({
  ...run,
  intervals: [],
  seconds: [],
  phases: [],
  threads: [],
  slowWakeups: [],
});
