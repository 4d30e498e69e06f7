/**
 * What a guest needs of this machine besides our own command: the programs that a subject's commands name, the libraries that
 * each of them loads, and a shell. Paths in the guest are those of the host.
 */
import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import type { Subject } from "../../experiment/subject.js";
import { SHELL } from "../here/group-keeper.js";

/** A file of the host, and where it lies in the guest. */
export interface Brought {
  readonly host: string;
  readonly guest: string;
}

/** The dynamic linker's list of what is where, for libraries outside its own folders. */
const LINKER_FILES = ["/etc/ld.so.cache", "/etc/ld-musl-x86_64.path"];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** The file of a program that is named by a path or found along the PATH; null: there is none. */
export const findProgram = (name: string, path: string): string | null => {
  if (name.includes("/")) return isProgram(resolve(name)) ? resolve(name) : null;
  if (!/^[\w.+-]+$/.test(name)) return null;
  return (
    path
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find(isProgram) ?? null
  );
};

/** What a shell script may name. Words that are no program are found to be none. */
const wordsOf = (script: string): readonly string[] =>
  script.split(/[\s;&|()<>"'`$={}]+/u).filter((word) => word !== "");

/** Names of all programs that the runs of a subject may start. */
const namesIn = ({ launch, setup, prepare, teardown }: Subject): readonly string[] => [
  ...(launch.kind === "external"
    ? launch.command
    : [...(launch.launcher ?? []), ...(launch.node === null ? [] : [launch.node])]),
  ...[setup, prepare, teardown].flatMap((script) => (script === null ? [] : wordsOf(script))),
];

/** The libraries of a program, as its dynamic linker finds them; none for a static program or a script. */
const librariesOf = (program: string): readonly string[] => {
  try {
    const listed = execFileSync("ldd", [program], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return listed.match(/(?<=\s)\/\S+(?= \(0x)/gu) ?? [];
  } catch {
    return [];
  }
};

/**
 * Files for the guest, each once.
 *
 * @param own programs and libraries of our own command
 * @param files what the user gives: a program gets its libraries too
 * @param path the PATH along which names are looked up
 */
export const broughtFor = (
  subject: Subject,
  { own, files, path }: { readonly own: readonly string[]; readonly files: readonly Brought[]; readonly path: string },
): readonly Brought[] => {
  const programs = [...own, ...namesIn(subject).flatMap((name) => findProgram(name, path) ?? [])];
  const given = files.map(({ host, guest }): Brought => ({
    host: resolve(host),
    guest: guest.endsWith("/") ? join(guest, basename(host)) : guest,
  }));
  const loaded = [SHELL, ...programs, ...given.map(({ host }) => host)].filter(isProgram).flatMap(librariesOf);
  const asHere = [...programs, ...loaded, ...LINKER_FILES.filter((file) => existsSync(file))];
  const all = [{ host: SHELL, guest: SHELL }, ...asHere.map((file) => ({ host: file, guest: file })), ...given];
  return [...new Map(all.map(({ host, guest }) => [guest, { host: realpathSync(host), guest }])).values()];
};
