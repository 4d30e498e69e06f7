/**
 * How fast stores are read and judged, with how much memory, and how soon an interruption is heard:
 *   node dist/bench/reading.js STORE [--only NAME,…]
 *
 * STORE is made by large-stores.js. Prints a row for each command: time, MB/s, the largest resident set, exit code; then the time from
 * SIGINT to the exit, sent after half a second.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { timed } from "./timed-command.js";

const MB = 1e6;
const UNTIL_SIGNAL_MSEC = 500;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: "string" } } });
const [store] = positionals;
if (store === undefined) throw new Error("STORE is missing");
const folder = mkdtempSync(join(tmpdir(), "schbench-reading-"));
const bytes = statSync(store).size;

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  compare: ["compare", store],
  "compare --html": ["compare", store, "--html", join(folder, "compare.html")],
  report: ["report", store, "-o", join(folder, "report.html")],
  merge: ["merge", store, "--force", "-o", join(folder, "merged.json")],
  parse: ["parse", store, "--format", "ndjson"],
};

const wanted = values.only?.split(",") ?? Object.keys(COMMANDS);
process.stdout.write(`${store}: ${(bytes / MB).toFixed(1)} MB\n`);
for (const name of wanted) {
  const words = COMMANDS[name];
  if (words === undefined) throw new Error(`no command "${name}": ${Object.keys(COMMANDS).join(", ")}`);
  const whole = await timed(words);
  const cut = await timed(words, UNTIL_SIGNAL_MSEC);
  process.stdout.write(
    [
      name.padEnd(16),
      `${whole.sec.toFixed(2)} s`.padStart(9),
      `${(bytes / MB / whole.sec).toFixed(0)} MB/s`.padStart(9),
      `${(whole.peakBytes / MB).toFixed(0)} MB`.padStart(8),
      whole.how.padStart(8),
      cut.heardMsec === null ? "  too short to interrupt" : `  SIGINT: ${cut.how} after ${cut.heardMsec.toFixed(0)} ms`,
    ].join(""),
  );
  process.stdout.write("\n");
}
rmSync(folder, { recursive: true });
