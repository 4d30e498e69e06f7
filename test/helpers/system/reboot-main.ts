/** `ab` on a machine whose folders are those of a scratch root, SCHBENCH_TEST_ROOT, as a process that a unit can start. */
import { abCommandIn } from "../../../src/cli/commands/ab-command.js";
import type { TextSink } from "../../../src/cli/io/command.js";
import { hostWorld } from "../../../src/cli/io/experiment-world.js";
import { EXIT, messageOf, UserError } from "../../../src/errors.js";
import { machineSite } from "../../../src/laboratory/here/machine-site.js";
import { placesOn } from "../../../src/laboratory/places.js";
import { continuationHere } from "../../../src/laboratory/reboot/continuation.js";
import { systemAt } from "../../../src/laboratory/reboot/system.js";

const sinkOf = (stream: NodeJS.WriteStream): TextSink => ({
  write: (text) => void stream.write(text),
  isTerminal: false,
  columns: undefined,
});

// Nothing that is done needs a real root.
const system = { ...systemAt(process.env["SCHBENCH_TEST_ROOT"] ?? "/nowhere"), uid: 0 };
const placeOf = placesOn({ system, site: machineSite, continuation: continuationHere });

try {
  process.exitCode = await abCommandIn({ ...hostWorld, placeOf }).run(process.argv.slice(2), {
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    stdin: () => process.stdin,
    atOnce: (work) => work(),
    env: process.env,
    interrupted: new AbortController().signal,
  });
} catch (thrown) {
  const remedy = thrown instanceof UserError && thrown.remedy !== undefined ? `\n${thrown.remedy}` : "";
  process.stderr.write(`schbench-ts: ${messageOf(thrown)}${remedy}\n`);
  process.exitCode = EXIT.failure;
}
