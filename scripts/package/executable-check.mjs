#!/usr/bin/env node
// Runs the single executable in an empty root: nothing there but the file, the libraries that the dynamic linker names, /proc,
// /sys, a few devices and an empty /tmp. Says what was there and how long it took to start. Needs root and util-linux.
//   executable-check.mjs [FILE]       dist/executable/schbench-ts without a word
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, resolve } from "node:path";

const executable = resolve(process.argv[2] ?? new URL("../../dist/executable/schbench-ts", import.meta.url).pathname);
if (!existsSync(executable)) {
  console.error(`there is no "${executable}": npm run build:executable`);
  process.exit(1);
}
if (process.getuid() !== 0 || spawnSync("unshare", ["--mount", "true"]).status !== 0) {
  console.log("not checked: an empty root needs root and mount namespaces");
  process.exit(0);
}

/** What must work there, and what shows that it did. */
const CASES = [
  // Leaves its folder behind, which the next one must remove.
  { args: ["-m", "1", "-t", "1", "-r", "60"], shows: /^$/u, mayFail: true, killAfterMsec: 2000 },
  { args: ["--version"], shows: /engine native: /u },
  { args: ["-m", "1", "-t", "2", "-r", "2"], shows: /average rps: [1-9]/u },
  { args: ["-m", "1", "-t", "2", "-r", "1", "--engine", "v8"], shows: /average rps: [1-9]/u },
  { args: ["-m", "1", "-t", "1", "-r", "1", "-j", "/one.json", "--html", "/one.html"], shows: /average rps: [1-9]/u },
  { args: ["parse", "/one.json"], shows: /"averageRps": [1-9]/u },
  { args: ["report", "/one.json", "-o", "/two.html"], shows: /^/u },
  { args: ["doctor"], shows: /Linux/u, mayFail: true },
  {
    args: "ab --subject a --subject b --runs 1 --warmup-runs 0 -o /ab.jsonl -- -m 1 -t 1 -r 1".split(" "),
    shows: /wakeup/iu,
    mayFail: true,
  },
  { args: ["codegen"], shows: /x86-64|aarch64|objdump/u, mayFail: true },
  { args: ["no-such-command"], shows: /unknown command/u, mayFail: true },
  { args: ["--version"], shows: /noexec/u, mayFail: true, isNoexec: true },
];

const root = mkdtempSync(`${tmpdir()}/executable-check-`);
/** Mounts are seen in this namespace only, and go with its last process: the command, which each `exec` here becomes. */
const SCRIPT = `set -e
root="$1"; mode="$2"; shift 2
if [ "$mode" = noexec ]; then mount --bind "$root" "$root"; mount -o remount,bind,ro "$root"; fi
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
for name in null urandom; do mount --bind "/dev/$name" "$root/dev/$name"; done
if [ "$mode" = noexec ]; then mount -t tmpfs -o noexec none "$root/tmp"; fi
exec chroot "$root" /schbench-ts "$@"`;

const inRoot = ({ args, isNoexec, killAfterMsec }) => {
  const started = performance.now();
  const ran = spawnSync(
    "unshare",
    ["--mount", "--propagation", "private", "sh", "-c", SCRIPT, "sh", root, isNoexec ? "noexec" : "", ...args],
    { encoding: "utf8", env: { PATH: process.env.PATH }, timeout: killAfterMsec, killSignal: "SIGKILL" },
  );
  const ended = ran.signal ?? `exit ${ran.status}`;
  return { status: ran.status, ended, text: ran.stdout + ran.stderr, msec: performance.now() - started };
};

let failures = 0;
try {
  for (const folder of ["proc", "sys", "dev", "tmp"]) mkdirSync(`${root}/${folder}`);
  for (const device of ["null", "urandom"]) writeFileSync(`${root}/dev/${device}`, "");
  copyFileSync(executable, `${root}/schbench-ts`);
  const libraries = spawnSync("ldd", [executable], { encoding: "utf8" }).stdout.match(/\/\S+/gu) ?? [];
  for (const library of libraries) {
    mkdirSync(dirname(root + library), { recursive: true });
    copyFileSync(library, root + library);
  }
  console.log(
    `${basename(executable)}, ${(statSync(executable).size / 2 ** 20).toFixed(1)} MiB, with ${libraries.map((path) => basename(path)).join(" ")}`,
  );
  for (const case_ of CASES) {
    const { status, ended, text, msec } = inRoot(case_);
    const fine = (case_.mayFail || status === 0) && case_.shows.test(text) && !text.includes("This is a fault");
    if (!fine) failures++;
    const conditions = case_.isNoexec ? ", nowhere to load libraries from" : "";
    console.log(
      `${fine ? "fine" : "FAILED"} (${msec.toFixed(0)} ms, ${ended}${conditions}): schbench-ts ${case_.args.join(" ")}`,
    );
    if (!fine || process.env.VERBOSE) console.log(text.replaceAll(/^/gmu, "  | "));
  }
  const left = readdirSync(`${root}/tmp`);
  if (left.length > 0) {
    failures++;
    console.log(`FAILED: left in /tmp: ${left.join(" ")}`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);
