/**
 * A program that prints what schbench would, without measuring anything: for tests of what is done with subjects. Its
 * figures vary from call to call by a sequence that depends on the call's number alone, so a test sees the same every time.
 *
 * Settings (environment): FAKE_STATE a folder in which calls are counted and logged (needed), FAKE_NAME its name there,
 * FAKE_SCALE factor on all times, FAKE_SPREAD relative variation between calls (default 0.01), FAKE_FAIL_AT number of the
 * call that fails (FAKE_FAIL: exit code, `segv`, `garbage` or `hang`), FAKE_USAGE `old` (without --split) or `none` (no
 * schbench), FAKE_UNKNOWN an option that it does not take, FAKE_NO_TARGET: -A never reaches its target, FAKE_CAPACITY: most requests per second.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { schbenchText } from "./fake-schbench-text.js";

const { env, argv } = process;
const args = argv.slice(2);
const name = env["FAKE_NAME"] ?? "fake";
const log = `${env["FAKE_STATE"] ?? "."}/log`;

const USAGE = `schbench usage:
\t-m (--message-threads): number of message threads (def: 1)
\t-t (--threads): worker threads per message thread (def: num_cpus)
\t-r (--runtime): How long to run before exiting (seconds, def: 30)
`;
const SPLIT = "\t--split <percent>: percent of cache footprint that is private per thread\n";

/** Number of this call, from 1; every call is a line of the log. */
const count = (): number => {
  appendFileSync(log, `run ${name} ${args.join(" ")}\n`);
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.startsWith(`run ${name} `)).length;
};

/** A number in [-1, 1) that depends on the call alone. */
const wobble = (call: number): number => ((call * 0.618_033_988_749) % 1) * 2 - 1;

const fail = (how: string): void => {
  if (how === "segv") process.kill(process.pid, "SIGSEGV");
  // Longer than any test waits, but not for ever: a test that kills its parent leaves it behind.
  else if (how === "hang") setTimeout(() => {}, 120_000);
  else if (how === "garbage") process.stderr.write("Segmentation fault? No: poetry.\n");
  else {
    process.stderr.write("fake: cannot allocate memory\n");
    process.exitCode = Number(how);
  }
};

const value = (flag: string, fallback: number): number => {
  const at = args.indexOf(flag);
  return at < 0 ? fallback : Number(args[at + 1]);
};

if (args.includes("--help")) {
  const unknown = args.find((word) => word === env["FAKE_UNKNOWN"]);
  if (unknown !== undefined) process.stderr.write(`${name}: unrecognized option '${unknown}'\n`);
  if (env["FAKE_USAGE"] === "none") process.stdout.write("usage: true [ignored]\n");
  else process.stderr.write(USAGE + (env["FAKE_USAGE"] === "old" ? "" : SPLIT));
  process.exitCode = 1;
} else {
  const call = count();
  if (call === Number(env["FAKE_FAIL_AT"] ?? 0)) fail(env["FAKE_FAIL"] ?? "1");
  else {
    const spread = Number(env["FAKE_SPREAD"] ?? 0.01);
    const text = schbenchText({
      scale: Number(env["FAKE_SCALE"] ?? 1) * (1 + spread * wobble(call)) * (value("-n", 5) / 5),
      runtimeSec: value("-r", 30),
      pipeBytes: value("-p", 0),
      rate: value("-R", 0),
      capacity: Number(env["FAKE_CAPACITY"] ?? 400),
      autoTarget: value("-A", 0),
      reachesTarget: env["FAKE_NO_TARGET"] === undefined,
    });
    // Our engine is asked for its result on stdout; schbench reports on stderr.
    (args.includes("-j") ? process.stdout : process.stderr).write(text);
  }
}
