// What the published package must hold, and nothing else: derived from the sources, so that a stale or forgotten file shows.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

/** Bytes; several times what it takes now means that something got in that should not. */
const LIMITS = { packed: 2500 * 1024, unpacked: 8 * 1024 * 1024 };

const below = (root, folder, pattern = /./u) =>
  readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.slice(root.length))
    .filter((path) => pattern.test(path));

/** A module as the compiler leaves it, with its types; one of types alone has no code but is emitted all the same. */
const compiled = (source) => {
  const [, path, common] = /^(.*)\.(c?)ts$/u.exec(source);
  return [`dist/${path}.${common}js`, `dist/${path}.d.${common}ts`];
};

const AARCH64 = "dist/engine/schbench-aarch64.so";

/** Whether the engine for arm64 must be there: the build makes it where there is a cross compiler. */
const isAarch64Built = (root) =>
  existsSync(root + AARCH64) ||
  process.arch === "arm64" ||
  spawnSync("aarch64-linux-gnu-gcc", ["--version"], { stdio: "ignore" }).status === 0;

/** Bytes in words. */
export const kib = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;

/** Paths that must be there. */
const expected = (root) => [
  "package.json",
  "LICENSE",
  "man/schbench-ts.1",
  ...["README.md", "CHANGELOG.md"].filter((file) => existsSync(root + file)),
  ...below(root, "src", /(?<!\.d)\.c?ts$/u).flatMap(compiled),
  ...["schbench.wasm", "schbench-x86-64.so", "schbench-x86-64-v3.so"].map((file) => `dist/engine/${file}`),
  ...(isAarch64Built(root) ? [AARCH64] : []),
  // One file of each command; the bundler names the others, and the build makes the folder anew.
  ...["bin.cjs", "engine-process.cjs", "plan.cjs", "engine.cjs", "LICENSES.txt"].map((file) => `dist/command/${file}`),
  ...below(root, "dist/command", /\.cjs$/u),
  // The sources of the binaries travel with them: the license asks for it.
  ...below(root, "assembly", /\.ts$/u),
  ...below(root, "native"),
  ...below(root, "docs"),
  ...below(root, "completions"),
];

/** What is wrong with the content of a package, as sentences; `packed` is what `npm pack --json` says of it. */
export const contentFaults = (root, packed) => {
  const present = new Set(packed.files.map(({ path }) => path));
  const wanted = new Set(expected(root));
  const remedy = "remove dist and build again, with gcc";
  return [
    ...[...wanted].filter((path) => !present.has(path)).map((path) => `missing: ${path} (${remedy})`),
    ...[...present].filter((path) => !wanted.has(path)).map((path) => `not wanted: ${path} (if stale, ${remedy})`),
    ...[
      ["packed", packed.size, LIMITS.packed],
      ["unpacked", packed.unpackedSize, LIMITS.unpacked],
    ]
      .filter(([, size, limit]) => size > limit)
      .map(([what, size, limit]) => `too large: ${kib(size)} ${what}, at most ${kib(limit)}`),
  ];
};

/** What a release must hold and this package, built here, need not: a sentence, or nothing. */
export const contentNote = (packed) =>
  packed.files.some(({ path }) => path === AARCH64) ? "" : ", without the arm64 engine (no aarch64-linux-gnu-gcc here)";
