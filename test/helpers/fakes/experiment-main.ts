/**
 * `ab` in a process of its own, for tests that interrupt or kill it.
 */
import { abCommandIn } from "../../../src/cli/commands/ab-command.js";
import type { TextSink } from "../../../src/cli/io/command.js";
import { hostWorld } from "../../../src/cli/io/experiment-world.js";
import { EXIT, messageOf } from "../../../src/errors.js";

const sinkOf = (stream: NodeJS.WriteStream): TextSink => ({
  write: (text) => void stream.write(text),
  isTerminal: false,
  columns: undefined,
});

const interruption = new AbortController();
process.on("SIGINT", () => interruption.abort(EXIT.interrupted));
process.on("SIGTERM", () => interruption.abort(EXIT.terminated));
// What the command does on a second signal.
process.on("SIGUSR2", () => process.exit(EXIT.failure));

try {
  process.exitCode = await abCommandIn(hostWorld).run(process.argv.slice(2), {
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    stdin: () => process.stdin,
    atOnce: (work) => work(),
    env: process.env,
    interrupted: interruption.signal,
  });
} catch (thrown) {
  process.stderr.write(`schbench-ts: ${messageOf(thrown)}\n`);
  process.exitCode = EXIT.failure;
}
