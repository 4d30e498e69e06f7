/** How runs are judged where the command line does not say: as the experiment that made them was begun. */
import { type Judgement, judgementWords, sameJudgement } from "../../experiment/judgement.js";
import type { ExperimentHeader } from "../../experiment/record.js";
import { joinWords } from "../../options/values/shell-words.js";
import type { Io } from "../io/command.js";

/** The options of a judgement, as a command has them. */
export interface JudgementOptions {
  readonly primary: string | null;
  readonly metrics: string | null;
  readonly threshold: number | null;
}

/** What a command's options say of the judgement; undefined: nothing. */
const judgementOf = ({ primary, metrics, threshold }: JudgementOptions): Judgement | undefined =>
  primary === null && metrics === null && threshold === null
    ? undefined
    : {
        ...(primary === null ? {} : { primary }),
        ...(metrics === null ? {} : { metrics }),
        ...(threshold === null ? {} : { thresholdPercent: threshold }),
      };

/** The same for the header of a new experiment. */
export const judgementKept = (options: JudgementOptions): Pick<ExperimentHeader, "judgement"> => {
  const said = judgementOf(options);
  return said === undefined ? {} : { judgement: said };
};

/** The options, where they say nothing as it was kept. */
export const judgedAsKept = <O extends JudgementOptions>(options: O, kept: Judgement | undefined): O => ({
  ...options,
  primary: options.primary ?? kept?.primary ?? null,
  metrics: options.metrics ?? kept?.metrics ?? null,
  threshold: options.threshold ?? kept?.thresholdPercent ?? null,
});

/** An experiment that was read. */
export interface ReadHeader {
  readonly file: string;
  readonly header: ExperimentHeader;
}

const saidBy = (kept: Judgement | undefined): string => {
  const words = judgementWords(kept ?? {});
  return words.length === 0 ? "the defaults" : joinWords(words);
};

/** What the options leave open and an experiment says. */
const leftOpen = (options: JudgementOptions, kept: Judgement): Judgement => ({
  ...(options.primary !== null || kept.primary === undefined ? {} : { primary: kept.primary }),
  ...(options.metrics !== null || kept.metrics === undefined ? {} : { metrics: kept.metrics }),
  ...(options.threshold !== null || kept.thresholdPercent === undefined
    ? {}
    : { thresholdPercent: kept.thresholdPercent }),
});

/**
 * The judgement that some experiments were begun with, if they agree: what the options leave open of it. Says on stderr what is used, or that
 * they do not agree.
 */
export const keptIn = (
  read: readonly ReadHeader[],
  options: JudgementOptions,
  { stderr }: Pick<Io, "stderr">,
): Judgement | undefined => {
  const [first, ...others] = read;
  if (first === undefined) return undefined;
  const open = read.map(({ header }) => leftOpen(options, header.judgement ?? {}));
  const [kept = {}] = open;
  if (judgementWords(kept).length === 0 && others.length === 0) return undefined;
  if (open.some((other) => !sameJudgement(other, kept))) {
    const said = read.map(({ file }, index) => `${file} by ${saidBy(open[index])}`).slice(0, 3);
    stderr.write(
      `schbench-ts: warning: these experiments were begun to be judged in different ways (${said.join("; ")}${read.length > 3 ? "; …" : ""}): the defaults are used\nSay how with --primary, --metrics and --threshold.\n`,
    );
    return undefined;
  }
  if (judgementWords(kept).length === 0) return undefined;
  stderr.write(`schbench-ts: judged as ${first.file} was begun: ${saidBy(kept)}\n`);
  return kept;
};

/** How this command judges an experiment that it has begun or goes on with; says on stderr where that is not as it was begun. */
export const judgedAsBegun = <O extends JudgementOptions>(
  options: O,
  { judgement: kept }: Pick<ExperimentHeader, "judgement">,
  { stderr }: Pick<Io, "stderr">,
): O => {
  const judged = judgedAsKept(options, kept);
  const now = judgementOf(judged);
  if (!sameJudgement(now, kept))
    stderr.write(
      `schbench-ts: this time judged by ${saidBy(now)}; the file keeps what it was begun with: ${saidBy(kept)}\n`,
    );
  return judged;
};
