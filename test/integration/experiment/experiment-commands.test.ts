/**
 * The experiment commands against made-up subjects, as they are recorded (helpers/recorded-cases.ts).
 */
import { type RecordedCase, recordedCases } from "../../helpers/fakes/recorded-cases.js";

const A_AND_B = ["--subject", "a={}/a", "--subject", "b={}/b", "-o", "{}/e.ndjson"] as const;
const REFERENCES = [
  "--reference",
  "gcc={}/gcc",
  "--reference",
  "clang={}/clang",
  "-o",
  "{}/v.ndjson",
  "--quiet",
] as const;
const STEADY = { FAKE_SPREAD: 0.002 } as const;
const ENVELOPE = { gcc: STEADY, clang: { ...STEADY, FAKE_SCALE: 0.93 } } as const;

const CASES: readonly RecordedCase[] = [
  {
    name: "grid",
    lines: [
      [
        "sweep",
        [
          "--subject",
          "five",
          "--subject",
          "six",
          "--flags",
          "six=-n 6",
          "-o",
          "{}/e.ndjson",
          "--vary",
          "t=1,2",
          "--runs",
          "8",
          "--quiet",
          "--metrics",
          "request-p50",
          "--format",
          "mail",
          "--",
          "-m",
          "1",
          "-r",
          "2",
        ],
      ],
      ["compare", ["{}/e.ndjson", "--metrics", "request-p50", "--check"]],
      ["compare", ["{}/e.ndjson", "--metrics", "request-p50", "--format", "tap", "--fail-on", "better"]],
      ["compare", ["{}/e.ndjson", "--metrics", "request-p50", "--format", "junit", "--threshold", "40", "--check"]],
      ["compare", ["{}/e.ndjson", "--metrics", "request-p50", "--format", "csv", "--bisect"]],
    ],
  },
  {
    name: "ab-vary",
    fakes: { a: STEADY, b: STEADY },
    lines: [
      [
        "ab",
        [
          ...A_AND_B,
          "--vary",
          "t=1,2",
          "--runs",
          "8",
          "--quiet",
          "--metrics",
          "request-p50",
          "--check",
          "--format",
          "csv",
          "--",
          "-r",
          "2",
        ],
      ],
    ],
  },
  {
    name: "ab-until-decided",
    fakes: { a: STEADY, b: { ...STEADY, FAKE_SCALE: 1.3 } },
    lines: [
      [
        "ab",
        [...A_AND_B, "--until", "decided", "--max-runs", "12", "--quiet", "--metrics", "request-p50", "--", "-r", "2"],
      ],
      ["ab", [...A_AND_B, "--until", "decided", "--runs", "12", "--", "-r", "2"]],
      ["ab", [...A_AND_B, "--until", "decided", "--vary", "t=1,2", "--", "-r", "2"]],
    ],
  },
  {
    name: "ab-different",
    fakes: { a: {}, b: { FAKE_SCALE: 1.1 } },
    lines: [["ab", [...A_AND_B, "--check", "--", "-m", "1", "-t", "2", "-r", "2"]]],
  },
  {
    name: "ab-the-same",
    fakes: { a: {}, b: {} },
    lines: [["ab", [...A_AND_B, "--check", "--quiet", "--", "-r", "2"]]],
  },
  {
    name: "ab-our-engine-with-other-flags-as-markdown",
    lines: [
      [
        "ab",
        [
          "--subject",
          "five",
          "--subject",
          "six",
          "--base",
          "six",
          "--flags",
          "six=-n 6",
          "--quiet",
          "-o",
          "{}/e.ndjson",
          "--format",
          "markdown",
          "--",
          "-m",
          "1",
          "-r",
          "2",
        ],
      ],
    ],
  },
  {
    name: "ab-set-up-and-tear-down",
    fakes: { a: {}, b: {} },
    lines: [
      [
        "ab",
        [
          ...A_AND_B,
          "--runs",
          "2",
          "--warmup-runs",
          "0",
          "--quiet",
          "--setup",
          'b=echo "set up $SCHBENCH_SUBJECT $SCHBENCH_ROUND" >> {}/log',
          "--prepare",
          "all=echo prepare >> {}/log",
          "--teardown",
          "b=echo tear down >> {}/log",
          "--",
          "-r",
          "1",
        ],
      ],
    ],
  },
  {
    name: "ab-set-up-fails",
    fakes: { a: {}, b: {} },
    lines: [
      [
        "ab",
        [
          ...A_AND_B,
          "--runs",
          "2",
          "--warmup-runs",
          "0",
          "--seed",
          "3",
          "--setup",
          "b=echo no such scheduler >&2; exit 3",
          "--teardown",
          "b=echo tear down >> {}/log",
          "--",
          "-r",
          "1",
        ],
      ],
    ],
  },
  {
    name: "ab-run-fails-and-is-gone-on-with",
    fakes: { a: {}, b: { FAKE_FAIL_AT: 3 } },
    lines: [
      ["ab", [...A_AND_B, "--runs", "3", "--warmup-runs", "0", "--", "-r", "1"]],
      ["ab", [...A_AND_B, "--runs", "3", "--warmup-runs", "0", "--", "-r", "1"]],
    ],
  },
  {
    name: "ab-run-crashes",
    fakes: { a: {}, b: { FAKE_FAIL_AT: 1, FAKE_FAIL: "segv" } },
    lines: [["ab", [...A_AND_B, "--quiet", "--", "-r", "1"]]],
  },
  {
    name: "ab-output-is-not-of-schbench",
    fakes: { a: {}, b: { FAKE_FAIL_AT: 1, FAKE_FAIL: "garbage" } },
    lines: [["ab", [...A_AND_B, "--quiet", "--", "-r", "1"]]],
  },
  {
    name: "ab-wrong-command-lines",
    fakes: { a: {}, b: {} },
    lines: [
      ["ab", []],
      ["ab", ["--subject", "a"]],
      ["ab", ["--subject", "a", "--subject", "a"]],
      ["ab", ["--subject", "all", "--subject", "b"]],
      ["ab", ["--subject", "a=", "--subject", "b"]],
      ["ab", ["--subject", "a=x 'y", "--subject", "b"]],
      ["ab", ["--subject", "a", "--subject", "b", "--base", "c"]],
      ["ab", ["--subject", "scx", "--subject", "b", "--setup", "scz=true"]],
      ["ab", ["--subject", "a", "--subject", "b", "--env", "b=X"]],
      ["ab", ["--subject", "a", "--subject", "b", "--setup", "b="]],
      ["ab", ["--subject", "a", "--subject", "b", "--node", "all= "]],
      ["ab", ["--subject", "a={}/a", "--subject", "b", "--node", "a=/usr/bin/node"]],
      ["ab", ["--subject", "a", "--subject", "b", "--primary", "request-p999"]],
      ["ab", ["--subject", "a", "--subject", "b", "--", "--no-such-flag"]],
      ["ab", ["--subject", "a", "--subject", "b", "--", "-r", "0"]],
      ["ab", ["--subject", "a", "--subject", "b", "--", "-j", "x.json"]],
      ["ab", ["--subject", "a={}/nope", "--subject", "b", "-o", "{}/e.ndjson", "--quiet"]],
      ["ab", ["--subject", "a={}/a", "--subject", "b={}/b", "-o", "{}/a", "--quiet"]],
      ["ab", ["--subject", "a={}/a", "--subject", "b={}/b", "-o", "{}/no/e.ndjson"]],
      ["ab", ["--subject", "a={}/a", "--subject", "b={}/b", "-o", "{}/e.ndjson", "--html", "{}"]],
    ],
  },
  {
    name: "ab-file-of-another-experiment",
    fakes: { a: {}, b: {} },
    lines: [
      ["ab", [...A_AND_B, "--runs", "1", "--warmup-runs", "0", "--quiet", "--", "-r", "1"]],
      ["ab", [...A_AND_B, "--runs", "2", "--warmup-runs", "0", "--quiet", "--", "-r", "1"]],
    ],
  },
  {
    name: "sweep",
    lines: [
      ["sweep", ["--vary", "n=1,2,5..20", "--runs", "2", "-o", "{}/s.ndjson", "--quiet", "--", "-r", "2"]],
      ["sweep", ["--vary", "n=1,2,5..20", "--runs", "2", "-o", "{}/s.ndjson", "--format", "markdown", "--", "-r", "2"]],
    ],
  },
  {
    name: "sweep-wrong-command-lines",
    lines: [
      ["sweep", ["--", "-r", "2"]],
      ["sweep", ["--vary", "q=1"]],
      ["sweep", ["--vary", "t=1..50+1", "--vary", "n=1..50+1"]],
      ["sweep", ["--vary", "t=0,1", "--", "-r", "2"]],
    ],
  },
  {
    name: "compare-and-merge-stored-runs",
    fakes: { a: {}, b: { FAKE_SCALE: 1.1 } },
    lines: [
      ["ab", [...A_AND_B, "--quiet", "--", "-r", "2"]],
      ["compare", ["{}/e.ndjson", "--check", "--primary", "average-rps"]],
      ["compare", ["old={}/e.ndjson", "new={}/e.ndjson", "--format", "markdown"]],
      ["compare", ["{}/nope.txt", "{}/e.ndjson"]],
      ["compare", ["{}/e.ndjson", "{}/e.ndjson"]],
      ["merge", ["{}/e.ndjson"]],
      ["merge", ["{}/e.ndjson", "--subject", "c"]],
      ["merge", ["{}/e.ndjson", "--subject", "a"]],
      ["merge", ["{}/e.ndjson", "--force"]],
    ],
  },
  {
    name: "validate-inside",
    fakes: { ...ENVELOPE, engine: { ...STEADY, FAKE_SCALE: 0.96 } },
    lines: [["validate", [...REFERENCES, "--axes", "default,p4k", "--runs", "6"]]],
  },
  {
    name: "validate-outside",
    fakes: { ...ENVELOPE, engine: { ...STEADY, FAKE_SCALE: 1.2 } },
    lines: [
      ["validate", [...REFERENCES, "--axes", "default", "--runs", "3"]],
      ["validate", [...REFERENCES, "--axes", "default", "--runs", "3", "--policy", "published"]],
    ],
  },
  {
    name: "validate-noise",
    fakes: { gcc: { FAKE_SPREAD: 0.1 }, clang: { FAKE_SPREAD: 0.1, FAKE_SCALE: 1.01 }, engine: { FAKE_SCALE: 1.02 } },
    lines: [["validate", [...REFERENCES, "--axes", "default", "--runs", "6"]]],
  },
  {
    name: "validate-degenerate",
    fakes: {
      gcc: { ...STEADY, FAKE_NO_TARGET: 1 },
      clang: { ...STEADY, FAKE_SCALE: 0.93, FAKE_NO_TARGET: 1 },
      engine: { ...STEADY, FAKE_SCALE: 0.96, FAKE_NO_TARGET: 1 },
    },
    lines: [["validate", [...REFERENCES, "--axes", "A50,R1000-burst", "--runs", "3"]]],
  },
  {
    name: "validate-until-decided",
    fakes: { ...ENVELOPE, engine: { FAKE_SPREAD: 0.03, FAKE_SCALE: 0.93 } },
    lines: [["validate", [...REFERENCES, "--axes", "default", "--runs", "3", "--until-decided", "5"]]],
  },
  {
    name: "validate-crash-in-the-middle-and-resume",
    fakes: { gcc: STEADY, clang: { ...STEADY, FAKE_SCALE: 0.93, FAKE_FAIL_AT: 2 }, engine: { FAKE_SCALE: 0.96 } },
    lines: [
      ["validate", [...REFERENCES, "--axes", "default", "--runs", "2"]],
      ["validate", [...REFERENCES, "--axes", "default", "--runs", "2"]],
      ["validate", ["--from", "{}/v.ndjson", "--policy", "published", "--no-code"]],
      ["validate", ["--from", "{}/v.ndjson", "--runs", "4"]],
      ["validate", ["--from", "{}/gcc"]],
    ],
  },
  {
    name: "validate-wrong-references",
    fakes: { gcc: { FAKE_USAGE: "old" }, clang: { FAKE_USAGE: "none" } },
    lines: [
      ["validate", []],
      ["validate", ["--reference", "gcc={}/nope"]],
      ["validate", ["--reference", "gcc={}/gcc"]],
      ["validate", ["--reference", "clang={}/clang", "--reference", "gcc={}/gcc"]],
      ["validate", ["--reference", "gcc"]],
      ["validate", ["--reference", "gcc={}/gcc", "--ours", "x=y"]],
      ["validate", ["--reference", "gcc={}/gcc", "--axes", "defualt"]],
      ["validate", ["--reference", "gcc={}/gcc", "--envelope", "gc"]],
    ],
  },
];

recordedCases("the experiment commands", CASES);
