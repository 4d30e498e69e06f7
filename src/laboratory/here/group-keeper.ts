/**
 * Ends the process groups that this process has started when it dies, however it dies: no handler of its own runs after
 * kill -9. So a shell in a session of its own, which no signal to a terminal or a group reaches, reads from a pipe that only
 * this process holds; when the pipe ends, it ends what is left. The kernel's own means (PR_SET_PDEATHSIG) reaches the child
 * alone and not what that starts: of `perf stat schbench`, perf.
 *
 * A child tells the shell itself, before it becomes the program: there is no moment in which it runs unknown.
 * Thin shell; no upstream counterpart.
 */
import { type ChildProcess, spawn, type SpawnOptions, type StdioOptions } from "node:child_process";
import { accessSync, constants } from "node:fs";
import type { Writable } from "node:stream";

/** The shell of every command. */
export const SHELL = "/bin/sh";

/** What a group gets when this process is gone; one that survives SIGTERM gets SIGKILL half a second later. */
export type LastSignal = "SIGKILL" | "SIGTERM";

/**
 * Reads `begin GROUP:SIGNAL` and `end GROUP`. `sleep 1` is for a sleep that takes whole seconds only. The dash of a negative
 * id would be taken for an option without `--`.
 */
const KEEPER_SCRIPT = `
groups=" "
while read -r word group; do
  case $word in
    begin) groups="$groups$group " ;;
    end) for one in $groups; do
        [ "\${one%:*}" = "$group" ] && groups="\${groups%% "$one" *} \${groups#* "$one" }"
      done ;;
  esac
done
[ -n "\${groups# }" ] || exit 0
for one in $groups; do kill -s "\${one#*:}" -- "-\${one%:*}"; done
sleep 0.5 || sleep 1
for one in $groups; do kill -s KILL -- "-\${one%:*}"; done
`;

/** Becomes the program after it has told the keeper; a keeper that is gone (SIGPIPE) does not keep it from that. */
const childScript = (last: LastSignal): string =>
  `(echo "begin $$:${last.slice("SIG".length)}" >&3) 2>/dev/null; exec "$@" 3>&-`;

const startKeeper = (): Writable | null => {
  try {
    accessSync(SHELL, constants.X_OK);
  } catch {
    // An image without a shell: groups then end with this process only where it can still see to it itself.
    return null;
  }
  const keeper = spawn(SHELL, ["-c", KEEPER_SCRIPT], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  keeper.on("error", () => undefined);
  // A child that could not be started, as where no more files can be opened, has no streams either.
  if (keeper.pid === undefined) return null;
  const { stdin } = keeper;
  stdin.on("error", () => undefined);
  keeper.unref();
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  return stdin;
};

let keeper: Writable | null | undefined;

/** The pipe to the keeper, which is started with the first child; null: there is none here. */
const theKeeper = (): Writable | null => {
  if (keeper === undefined || keeper?.destroyed === true) keeper = startKeeper();
  return keeper;
};

/** How to start a child, besides that it leads a group and is known to the keeper. */
interface KeptSpawn {
  readonly program: string;
  readonly args: readonly string[];
  readonly stdio: readonly ("ignore" | "pipe" | number)[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly last: LastSignal;
}

/** Starts a program as the leader of a process group that does not outlive this process. */
export const spawnKept = ({ program, args, stdio, env, last }: KeptSpawn): ChildProcess => {
  const pipe = theKeeper();
  const common: SpawnOptions = { detached: true, env };
  if (pipe === null) return spawn(program, args, { ...common, stdio: [...stdio] satisfies StdioOptions });
  const [stdin, stdout, stderr] = stdio;
  return spawn(SHELL, ["-c", childScript(last), SHELL, program, ...args], {
    ...common,
    stdio: [stdin, stdout, stderr, pipe] satisfies StdioOptions,
  });
};

/** Tells the keeper that a group is gone, or may stay. */
export const letGo = (group: number): void => {
  if (keeper?.writable === true) keeper.write(`end ${group}\n`);
};
