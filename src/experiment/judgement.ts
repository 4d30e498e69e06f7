/** How the runs of an experiment are to be judged, as it was said before they were seen: kept with them. Pure. */
import { z } from "zod";

/** As the options say it; what was not said is left out. */
export const judgement = z.object({
  primary: z.string().optional().describe("--primary"),
  metrics: z.string().optional().describe("--metrics"),
  thresholdPercent: z.number().nonnegative().optional().describe("--threshold"),
});

export type Judgement = z.infer<typeof judgement>;

/** The options that say it. */
export const judgementWords = ({ primary, metrics, thresholdPercent }: Judgement): readonly string[] => [
  ...(primary === undefined ? [] : ["--primary", primary]),
  ...(metrics === undefined ? [] : ["--metrics", metrics]),
  ...(thresholdPercent === undefined ? [] : ["--threshold", String(thresholdPercent)]),
];

/** Whether two say the same. */
export const sameJudgement = (a: Judgement | undefined, b: Judgement | undefined): boolean =>
  judgementWords(a ?? {}).join(" ") === judgementWords(b ?? {}).join(" ");
