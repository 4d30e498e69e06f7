/**
 * A machine under a scratch root, for a real process: programs that log and do to the root what they would do to a machine, and a
 * stand-in for systemd that starts the unit's command line as it is written, with the unit's folder and environment alone.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UNIT_FILE, UNIT_LINK } from "../../../src/laboratory/reboot/unit.js";
import { fakeKernel, fakeNotes, MOUNTS } from "../fakes/fake-machine.js";

/** A word of a unit file as systemd reads it (systemd.syntax(7), systemd.service(5)). */
const unquoted = (word: string): string =>
  word
    .slice(1, -1)
    .replaceAll(/\\(.)/gsu, (_, character: string) => ({ n: "\n", t: "\t", r: "\r" })[character] ?? character)
    .replaceAll("%%", "%");

const QUOTED = /"(?:[^"\\]|\\.)*"/gsu;

/** What a unit says that starts a process. */
export const startOf = (unit: string) => {
  const setting = (name: string): string =>
    unit
      .split("\n")
      .find((line) => line.startsWith(`${name}=`))
      ?.slice(name.length + 1) ?? "";
  const environment = [...unit.matchAll(/^Environment=(".*")$/gmu)].map(([, word = ""]) => unquoted(word));
  return {
    command: (setting("ExecStart").match(QUOTED) ?? []).map((word) => unquoted(word).replaceAll("$$", "$")),
    cwd: setting("WorkingDirectory").replaceAll("%%", "%"),
    env: Object.fromEntries(
      environment.map((text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)]),
    ),
  };
};

const PROGRAMS = {
  kexec: `while [ $# -gt 0 ]; do
  case $1 in --load) echo "$2" > "$ROOT/loaded"; shift;; --command-line=*) echo "\${1#*=}" >> "$ROOT/loaded";; esac; shift
done`,
  systemctl: `case $1 in
  enable) mkdir -p "$(dirname "$ROOT${UNIT_LINK}")"; : > "$ROOT${UNIT_LINK}";;
  kexec|reboot) echo "$1" > "$ROOT/going";;
esac`,
  sync: "",
} as const;

/** What a process has said, and how it ended. */
export interface Session {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const start = (command: readonly string[], cwd: string, env: Readonly<Record<string, string>>) => {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd, env: { ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const ended = new Promise<Session>((resolve) => void child.on("close", (code) => resolve({ code, stdout, stderr })));
  return { child, ended };
};

/** Builds a machine under a folder, which runs its first kernel. */
export const scratchMachine = (root: string, kernels: Readonly<Record<string, string>>) => {
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [name, body] of Object.entries(PROGRAMS)) {
    write(`/bin/${name}`, `#!/bin/sh\nROOT='${root}'\necho "${name} $*" >> "$ROOT/log"\n${body}\n`);
    chmodSync(join(root, "bin", name), 0o755);
  }
  for (const [path, release] of Object.entries(kernels)) write(path, fakeKernel(release));
  const [usual = ""] = Object.keys(kernels);
  let boots = 0;
  const isThere = (path: string): boolean => existsSync(join(root, path));
  const read = (path: string): string => (isThere(path) ? readFileSync(join(root, path), "utf8") : "");

  const boot = (): void => {
    const [kernel = usual, commandLine = "root=/dev/sda1 quiet"] =
      read("/going").trim() === "kexec" ? read("/loaded").split("\n") : [];
    for (const file of ["going", "loaded"]) rmSync(join(root, file), { force: true });
    boots++;
    write("/proc/sys/kernel/random/boot_id", `boot-${boots}\n`);
    write("/proc/sys/kernel/osrelease", `${kernels[kernel]}\n`);
    write("/proc/sys/kernel/version", "#1 SMP test\n");
    write("/proc/cmdline", `${commandLine}\n`);
    write("/proc/self/mountinfo", MOUNTS);
    write("/run/systemd/system/x", "");
    write("/sys/kernel/kexec_loaded", "0\n");
    write("/sys/kernel/notes", fakeNotes(Buffer.from(kernel).toString("hex").slice(-40)));
  };
  boot();

  return {
    log: () => read("/log").trim().split("\n"),
    read,
    isThere,
    isLeaving: () => isThere("/going"),
    boot,
    boots: () => boots,
    /** What a person starts. */
    byHand: (command: readonly string[], cwd: string) =>
      start(command, cwd, { PATH: `${root}/bin:/usr/bin:/bin`, SCHBENCH_TEST_ROOT: root }),
    /** What systemd starts after a boot; null: there is no unit. */
    byUnit: (): { readonly child: ChildProcess; readonly ended: Promise<Session> } | null => {
      if (!isThere(UNIT_FILE) || !isThere(UNIT_LINK)) return null;
      const { command, cwd, env } = startOf(read(UNIT_FILE));
      return start(command, cwd, env);
    },
  };
};
