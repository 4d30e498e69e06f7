/** What the experiment commands find before their first run, and in files that hold no sound experiment, as it is recorded. */
import { fakeHeader, fakeRecord } from "../../helpers/fakes/fake-store.js";
import { recordedCases } from "../../helpers/fakes/recorded-cases.js";

const TWO = ["--subject", "a={}/a", "--subject", "b={}/b", "-o", "{}/e.ndjson", "--quiet"] as const;
const ONCE = ["--runs", "1", "--warmup-runs", "0", "--", "-r", "1"] as const;
const MAKE_C = "c=cp {}/a {}/c";

const lines = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const run = fakeRecord("a", "x", 1);

recordedCases("checks before an experiment", [
  {
    name: "checks-of-subjects",
    fakes: { a: {}, b: {}, old: { FAKE_UNKNOWN: "--split" } },
    files: { notes: "not a program\n" },
    lines: [
      ["ab", [...TWO, "--subject", "c={}/c", ...ONCE]],
      ["ab", [...TWO, "--subject", "c={}/notes", ...ONCE]],
      ["ab", [...TWO, "--subject", "c=no-such-schbench", ...ONCE]],
      ["ab", [...TWO, "--subject", "c={}/old", "--flags", "c=--split 30", ...ONCE]],
      ["ab", [...TWO, "--subject", "c", "--node", "c={}/none", ...ONCE]],
      ["ab", [...TWO, "--subject", "c", "--flags", "c=-p 64k -R 5", ...ONCE]],
      ["sweep", ["--vary", "n=1,2", ...TWO, "--subject", "c={}/c", ...ONCE]],
    ],
  },
  {
    name: "checks-of-files",
    files: {
      "twice.ndjson": lines(fakeHeader(), run, run),
      "joined.ndjson": lines(fakeHeader(), run, fakeHeader(), run),
      "stranger.ndjson": lines(fakeHeader(), fakeRecord("z", "x", 1)),
      "newer.ndjson": lines({ ...fakeHeader(), version: 9 }),
      "header.ndjson": lines(fakeHeader()),
    },
    lines: [
      ["compare", ["{}/twice.ndjson"]],
      ["compare", ["{}/joined.ndjson"]],
      ["compare", ["{}/stranger.ndjson"]],
      ["compare", ["{}/newer.ndjson"]],
      ["compare", ["{}/header.ndjson"]],
      ["compare", ["a={}/header.ndjson,", "{}/header.ndjson"]],
      ["compare", ["{}/header.ndjson", "--html", "{}/header.ndjson"]],
      ["merge", ["{}/header.ndjson", "-o", "{}/./header.ndjson"]],
      ["merge", ["{}/header.ndjson", "--subject", "a"]],
    ],
  },
]);

recordedCases("a program that a command makes", [
  {
    name: "checks-leave-set-ups-alone",
    fakes: { a: {}, b: {} },
    lines: [
      [
        "sweep",
        ["--vary", "n=1", ...TWO, "--subject", "c={}/c", "--setup", MAKE_C, "--teardown", "c=rm {}/c", ...ONCE],
      ],
    ],
  },
]);
