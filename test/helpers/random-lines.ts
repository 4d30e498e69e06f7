/** Random valid command lines of one second each, from a seed. */
import { seededRandom } from "../../src/stats/random.js";

/** One command line, as words; the same for the same seed. */
export const randomLine = (seed: number): readonly string[] => {
  const random = seededRandom(seed);
  const maybe = (share: number, words: () => readonly string[]): readonly string[] =>
    random.uniform() < share ? words() : [];
  const one = (choices: readonly string[]): string => choices[random.below(choices.length)] ?? "";
  const mode = one(["closed", "closed", "rate", "auto", "pipe"]);
  return [
    ["-r", "1", "-j", "-", "--engine", one(["native", "native", "native", "v8"])],
    ["-m", one(["1", "2", "3"]), "-t", one(["1", "2", "5"])],
    mode === "rate" ? ["-R", one(["1", "7", "100", "50000"]), "--pacing", one(["paced", "burst"])] : [],
    mode === "auto" ? ["-A", one(["1", "50", "100"])] : [],
    mode === "pipe" ? ["-p", one(["1", "4096", "64k", "1m"])] : [],
    maybe(0.6, () => ["-n", one(["0", "1", "5", "40"])]),
    maybe(0.5, () => ["-s", one(["0", "1", "100", "30000"])]),
    maybe(0.4, () => ["-F", one(["0", "1", "64", "1024"])]),
    maybe(0.3, () => ["--split", one(["0", "1", "50", "99", "100"])]),
    maybe(0.3, () => [one(["-L", "-C", "-CL"])]),
    maybe(0.3, () => ["-i", one(["1", "0", "-1"])]),
    maybe(0.2, () => ["-z", "1"]),
    maybe(0.2, () => ["-W", "0"]),
    maybe(0.2, () => ["--details"]),
    maybe(0.2, () => ["-J", 'job "1" \\ é']),
  ].flat();
};
