// What runs first in the single executable: unpacks the files that it carries into a private folder (mode 0700, removed at
// exit) and goes on there as Node would in an installed package. Processes that the command starts by `process.execPath`
// and a script of that folder find it unpacked.
"use strict";
const {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} = require("node:fs");
const { createRequire } = require("node:module");
const { dirname, join } = require("node:path");
const { getAsset, getRawAsset } = require("node:sea");

/** Names the unpacked folder to the processes that this one starts. */
const FOLDER_VARIABLE = "SCHBENCH_TS_UNPACKED";
const FOLDER_NAME = /^schbench-ts-(\d+)-(\d+)-\w{6}$/;

/** Process ids mean something only within their namespace, and a temporary folder may be shared between several. */
const pidNamespace = () => {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
};

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== "ESRCH";
  }
};

/** A process that was killed could not remove its folder. */
const removeLeftOvers = (place, namespace) => {
  try {
    for (const name of readdirSync(place)) {
      const [, itsNamespace, pid] = FOLDER_NAME.exec(name) ?? [];
      if (itsNamespace !== namespace || isAlive(Number(pid))) continue;
      const path = join(place, name);
      const stat = lstatSync(path);
      if (stat.isDirectory() && stat.uid === process.getuid()) rmSync(path, { recursive: true, force: true });
    }
  } catch {
    // A place that cannot be listed, or another process that tidies at the same time.
  }
};

const unpackInto = (folder, { files, native }) => {
  const put = (file) => {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, new Uint8Array(getRawAsset(file)), { mode: 0o700 });
    return path;
  };
  // Refused where the file system is mounted noexec: no library could be loaded from there.
  accessSync(put(native), constants.X_OK);
  files.filter((file) => file !== native).forEach(put);
};

/** Memory before disks: what is written to a disk would be carried there while the benchmark runs. */
const PLACES = [process.env.TMPDIR, "/dev/shm", "/run", "/tmp", process.cwd()].filter(Boolean);

/** The first place that can be written and executed from; throws an Error that says why none can. */
const unpack = () => {
  const content = JSON.parse(getAsset("content.json", "utf8"));
  const namespace = pidNamespace();
  const refusals = [];
  for (const place of PLACES) {
    let folder;
    try {
      folder = mkdtempSync(join(place, `schbench-ts-${namespace}-${process.pid}-`));
      unpackInto(folder, content);
      removeLeftOvers(place, namespace);
      return folder;
    } catch (error) {
      refusals.push(`  ${place}: ${error.message}`);
      if (folder) rmSync(folder, { recursive: true, force: true });
    }
  }
  throw new Error(`cannot unpack its files, from which libraries are loaded, anywhere:\n${refusals.join("\n")}`);
};

const unpackOrEnd = () => {
  try {
    return unpack();
  } catch (error) {
    const remedy = "Set TMPDIR to a folder that can be written and is not mounted noexec.";
    process.stderr.write(`schbench-ts: ${error.message}\n${remedy}\n`);
    return process.exit(1);
  }
};

const unpacked = process.env[FOLDER_VARIABLE];
const isStartedByUs = Boolean(unpacked && process.argv[2]?.startsWith(`${unpacked}/`));
const folder = isStartedByUs ? unpacked : unpackOrEnd();
if (isStartedByUs) {
  process.argv.splice(1, 1);
} else {
  process.env[FOLDER_VARIABLE] = folder;
  process.argv[1] = join(folder, "dist/command/bin.cjs");
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
}
// An embedded script's own require knows nothing but Node's modules.
createRequire(process.argv[1])(process.argv[1]);
