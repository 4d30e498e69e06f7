/** What our command said on another machine, among the rest of its standard error. Pure. */

/** The first line names the fault, the others mend it. */
export interface OwnWords {
  readonly message: string;
  readonly remedy: string | undefined;
}

const OWN = "schbench-ts: ";

/** The last of our error messages, and what stands below it; null: there is none. */
export const ownWordsIn = (stderr: string): OwnWords | null => {
  const lines = stderr.trimEnd().split("\n");
  const last = lines.findLastIndex((line) => line.startsWith(OWN));
  if (last < 0) return null;
  const [message = "", ...more] = lines.slice(last);
  return { message: message.slice(OWN.length), remedy: more.length === 0 ? undefined : more.join("\n") };
};
