/**
 * A command that was started elsewhere: its lines as they come, and its end. Our end of its standard input stays open while we
 * want it to go on; it notices when that is closed, however this process ends. Thin shell.
 */
import { keepTail } from "../kept-tail.js";
import { spawnKept } from "../laboratory/here/group-keeper.js";
import { guardGroup, signalGroup } from "../laboratory/here/process-group.js";
import { startFault } from "../laboratory/here/program-file.js";
import { cannotStart } from "../start-fault.js";

/** Written first, so that the other side knows a closed input from one that was never connected. */
export const HOLD = "hold\n";

/** How long a command that was let go may take to tear down before its prefix is ended. */
const LET_GO_MSEC = 30_000;
const TERM_MSEC = 3000;
/** How much of what it says on standard error is kept. */
const KEPT_CHARACTERS = 16 * 1024;

/** How a command ended. */
export interface LinkEnd {
  /** null: a signal ended the prefix. */
  readonly exitCode: number | null;
  readonly endedBy: string | null;
  /** The end of what came on standard error. */
  readonly stderr: string;
}

/** A command under way. */
export interface Link {
  /** Lines of its standard output, without their ends; a last line that is cut off is left out. */
  readonly lines: AsyncIterable<string>;
  readonly ended: Promise<LinkEnd>;
  /** Closes its standard input, so that it ends itself; what does not is ended by signals. */
  readonly letGo: () => void;
  /** Ends the prefix at once: nobody answers at its other end. */
  readonly cut: () => void;
}

/** How a command is started elsewhere; a test hands in its own. */
export type OpenLink = (command: readonly string[]) => Promise<Link>;

async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** Starts a command; throws UserError when its first word cannot be started. */
export const openLink: OpenLink = async (command) => {
  const [program = "", ...args] = command;
  const fault = await startFault(program, {});
  if (fault !== null) throw cannotStart(program, fault);
  const child = spawnKept({ program, args, stdio: ["pipe", "pipe", "pipe"], env: process.env, last: "SIGTERM" });
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new TypeError("a child without pipes");
  const release = guardGroup(child.pid, "SIGTERM");
  const timers: NodeJS.Timeout[] = [];
  const later = (msec: number, what: () => void): void => void timers.push(setTimeout(what, msec));
  const said = keepTail([stderr], KEPT_CHARACTERS);
  // It may end before it has read: its end says how.
  stdin.on("error", () => undefined);
  stdin.write(HOLD);
  const cut = (): void => {
    signalGroup(child.pid, "SIGTERM");
    later(TERM_MSEC, () => signalGroup(child.pid, "SIGKILL"));
  };
  const ended = new Promise<LinkEnd>((resolve, reject) => {
    child.on("error", (error) => reject(cannotStart(program, error)));
    child.on("close", (exitCode, endedBy) => {
      timers.forEach(clearTimeout);
      release();
      resolve({ exitCode, endedBy, stderr: said() });
    });
  });
  stdout.setEncoding("utf8");
  return {
    lines: linesOf(stdout),
    ended,
    letGo: () => {
      stdin.end();
      later(LET_GO_MSEC, cut);
    },
    cut,
  };
};
