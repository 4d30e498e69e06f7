/** Forms of use and examples, by command. The tests check every example against the option tables. */

/** A command line and what it is for. */
export interface Example {
  readonly line: string;
  readonly meaning: string;
}

/** What follows `schbench-ts`, by command; a command that is not here takes only options. */
export const USAGE: Readonly<Record<string, readonly string[]>> = {
  run: ["[run] [OPTIONS]"],
  ab: ["ab --subject NAME[=COMMAND] --subject NAME[=COMMAND] [OPTIONS] [-- BENCHMARK-FLAGS]"],
  sweep: ["sweep --vary OPTION=VALUES [OPTIONS] [-- BENCHMARK-FLAGS]"],
  compare: ["compare [OPTIONS] [NAME=]FILE[,FILE...]..."],
  parse: ["parse [OPTIONS] [FILE...]"],
  merge: ["merge [OPTIONS] FILE..."],
  validate: ["validate --reference NAME=COMMAND... [OPTIONS]"],
  codegen: ["codegen [OPTIONS]"],
  report: ["report [OPTIONS] [NAME=]FILE[,FILE...]..."],
  help: ["help [COMMAND|TOPIC]"],
  completions: ["completions bash|zsh|fish"],
};

const COMPLETIONS_DIR = "~/.local/share/bash-completion/completions";

/** Examples, by command. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  run: [
    { line: "schbench-ts -m 1 -t 2 -r 10", meaning: "one message thread, two workers, ten seconds" },
    { line: "schbench-ts -R 1000 -t 4 --details", meaning: "offer 1000 requests per second" },
    { line: "schbench-ts -L -m 4 -M auto -t 256 -n 0 -s 0", meaning: "a wakeup storm, message threads pinned" },
    { line: "schbench-ts -p 4k -j - -r 5", meaning: "pipe mode, the result as JSON on standard output" },
  ],
  ab: [
    {
      line: "schbench-ts ab --subject five --subject six --flags six='-n 6' -- -m 1 -t 2 -r 10",
      meaning: "does one more operation per request show?",
    },
    {
      line: "schbench-ts ab --subject eevdf --subject scx --setup scx='scx_rusty & sleep 2; kill -0 $!' -- -m 2 -t 16 -r 30",
      meaning: "the kernel's scheduler against a sched_ext scheduler",
    },
    {
      line: "schbench-ts ab --subject ts --subject gcc=./schbench-gcc -- -m 1 -t 2 -r 10",
      meaning: "our engine against a build of the C program",
    },
    {
      line: "schbench-ts ab --on 'ssh host3' --on 'ssh host4' -o fleet --subject a --subject b --flags b='-n 6' -- -m 1 -t 2 -r 10",
      meaning: "the whole experiment on two other machines at once",
    },
  ],
  compare: [{ line: "schbench-ts compare before=old.ndjson after=new.ndjson", meaning: "compare stored runs" }],
  parse: [
    { line: "schbench-ts parse old-log.txt", meaning: "read the report of any schbench version" },
    { line: "schbench 2>&1 | schbench-ts parse --format text", meaning: "show it in the current layout" },
  ],
  merge: [{ line: "schbench-ts merge host1.ndjson host2.ndjson", meaning: "add the histograms of several machines" }],
  validate: [
    {
      line: "schbench-ts validate --reference gcc=./schbench-gcc --reference clang=./schbench-clang",
      meaning: "does the port measure what two builds of the C program measure?",
    },
  ],
  codegen: [
    {
      line: "schbench-ts codegen --reference gcc=./schbench-gcc",
      meaning: "the machine code of the inner loop, here and in the C program",
    },
  ],
  report: [
    { line: "schbench-ts report result.json -o report.html", meaning: "one file with charts that opens from disk" },
  ],
  doctor: [{ line: "schbench-ts doctor", meaning: "is this machine fit for measuring?" }],
  help: [{ line: "schbench-ts help pinning", meaning: "how -M and -W work" }],
  completions: [
    { line: `schbench-ts completions bash > ${COMPLETIONS_DIR}/schbench-ts`, meaning: "install them for bash" },
  ],
};
