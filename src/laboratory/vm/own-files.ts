/**
 * Our own command as a guest runs it: its files under one folder there, and the program that runs them. From a checkout, an
 * installed package and the single executable alike, since all of them start as a program and a script.
 */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { UserError } from "../../errors.js";
import { PACKAGE_FILES } from "../../package-files.js";
import type { Brought } from "./brought-programs.js";

/** Where our files lie in a guest. */
const GUEST_ROOT = "/schbench-ts";
/** The guest's first process: our Node, or the single executable, under one name. */
export const GUEST_PROGRAM = "/bin/schbench-ts-node";
/** What it runs. */
export const GUEST_SCRIPT = `${GUEST_ROOT}/dist/command/guest.cjs`;
/** Tells the single executable that its files are unpacked already; Node does not look at it. */
export const UNPACKED_SETTING = `SCHBENCH_TS_UNPACKED=${GUEST_ROOT}`;

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

/** The folder of an installed package, from the file that it is loaded by. */
const folderOf = (name: string, importer: string): string => {
  const entry = createRequire(importer).resolve(name);
  const inside = `${sep}node_modules${sep}${name.replaceAll("/", sep)}${sep}`;
  return entry.slice(0, entry.lastIndexOf(inside) + inside.length - 1);
};

const koffiFolders = (): readonly Brought[] => {
  const koffi = folderOf("koffi", PACKAGE_FILES.command);
  const name = `@koromix/koffi-linux-${process.arch}`;
  return [
    { host: koffi, guest: `${GUEST_ROOT}/node_modules/koffi` },
    { host: folderOf(name, join(koffi, "package.json")), guest: `${GUEST_ROOT}/node_modules/${name}` },
  ];
};

/** What of koffi runs; the rest is its source and documents. */
const runs = (file: string): boolean => /\.(?:cjs|js|mjs|json|node)$/u.test(file) && !file.includes(`${sep}doc${sep}`);
const isForHere = (file: string): boolean =>
  !file.endsWith(".so") || file.includes(process.arch === "x64" ? "-x86-64" : "-aarch64");

/** Every file of ours that a guest gets. */
export const ownFiles = (): readonly Brought[] => {
  const root = dirname(PACKAGE_FILES.manifest);
  const inRoot = (file: string): Brought => ({ host: file, guest: join(GUEST_ROOT, file.slice(root.length)) });
  try {
    return [
      ...[...filesIn(dirname(PACKAGE_FILES.command)), PACKAGE_FILES.threadEntry, PACKAGE_FILES.manifest].map(inRoot),
      ...filesIn(PACKAGE_FILES.engineFolder).filter(isForHere).map(inRoot),
      ...koffiFolders().flatMap(({ host, guest }) =>
        filesIn(host)
          .filter(runs)
          .map((file) => ({ host: file, guest: join(guest, file.slice(host.length)) })),
      ),
      { host: process.execPath, guest: GUEST_PROGRAM },
    ];
  } catch (thrown) {
    throw new UserError(
      `cannot put this command into a guest: ${String(thrown)}`,
      "Install the package again, or use the single executable.",
      { cause: thrown },
    );
  }
};

/** Programs of ours whose libraries a guest needs. */
export const ownPrograms = (files: readonly Brought[]): readonly string[] =>
  files.filter(({ guest }) => guest === GUEST_PROGRAM || /\.(?:node|so)$/u.test(guest)).map(({ host }) => host);
