#!/usr/bin/env node
// Makes one file of Node, the command and both engines, for machines without Node: dist/executable/schbench-ts.
//   single-executable.mjs [--out FILE]
// The Node that runs this script is the one inside. The files of the command, the engine and koffi's binary are carried as assets and unpacked at start (single-executable-main.cjs). Needs a build.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";

const root = new URL("../..", import.meta.url).pathname;
const work = `${root}dist/executable`;
const tree = `${work}/tree`;
const { values } = parseArgs({ options: { out: { type: "string", default: `${work}/schbench-ts` } } });
const out = resolve(values.out);
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const VARIANT = { x64: /-x86-64.*\.so$/, arm64: /-aarch64\.so$/ }[process.arch];
const koffiBinary = `node_modules/@koromix/koffi-linux-${process.arch}`;
const nativeFile = `${koffiBinary}/linux_${process.arch}/koffi.node`;

const fail = (message) => {
  console.error(message);
  process.exit(1);
};
const run = (command, ...args) => {
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) fail(`${command} ${args.join(" ")} failed\n${stderr ?? error?.message}`);
};
const put = (file, text) => {
  mkdirSync(dirname(`${tree}/${file}`), { recursive: true });
  if (text === undefined) copyFileSync(root + file, `${tree}/${file}`);
  else writeFileSync(`${tree}/${file}`, text);
};
const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .toSorted();

if (!["dist/engine/schbench.wasm", "dist/command/bin.cjs"].every((file) => existsSync(root + file)))
  fail("not built yet: npm run build");
rmSync(work, { recursive: true, force: true });

for (const file of filesOf(`${root}dist/command`)) put(`dist/command/${file}`);
put("dist/src/engine/host/thread-entry.cjs");
for (const file of readdirSync(`${root}dist/engine`).filter((name) => name.endsWith(".wasm") || VARIANT?.test(name)))
  put(`dist/engine/${file}`);
for (const file of ["package.json", "LICENSE.txt", "index.cjs", "src/koffi/index.cjs", "src/koffi/src/static.cjs"])
  put(`node_modules/koffi/${file}`);
for (const file of [`${koffiBinary}/package.json`, `${koffiBinary}/index.js`, nativeFile]) put(file);
const { name, version, type } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
put("package.json", JSON.stringify({ name, version, type }));

const files = filesOf(tree);
writeFileSync(`${work}/content.json`, JSON.stringify({ files, native: nativeFile }));
const config = {
  main: `${root}scripts/package/single-executable-main.cjs`,
  output: `${work}/blob`,
  disableExperimentalSEAWarning: true,
  assets: {
    "content.json": `${work}/content.json`,
    ...Object.fromEntries(files.map((file) => [file, `${tree}/${file}`])),
  },
};
writeFileSync(`${work}/sea-config.json`, JSON.stringify(config));
run(process.execPath, "--experimental-sea-config", `${work}/sea-config.json`);

mkdirSync(dirname(out), { recursive: true });
copyFileSync(process.execPath, out);
chmodSync(out, 0o755);
if (spawnSync("strip", ["--version"]).status === 0) run("strip", out);
// By its command, since the library prints warnings about Node's own sections.
const postject = `${root}node_modules/postject/dist/cli.js`;
run(process.execPath, postject, out, "NODE_SEA_BLOB", `${work}/blob`, "--sentinel-fuse", FUSE);

const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
const carried = files.reduce((sum, file) => sum + statSync(`${tree}/${file}`).size, 0);
console.log(
  `${relative(process.cwd(), out) || out}: ${mib(statSync(out).size)}, Node ${process.versions.node}, ` +
    `${files.length} files of ${mib(carried)} inside`,
);
