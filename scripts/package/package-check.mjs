#!/usr/bin/env node
// Is the package fit to be published? Packs it, checks what is in it and how it declares itself, installs it into empty folders
// as a user would, and uses it: command, both engines, library with its types. Needs a build.
//   package-check.mjs [NODE …]     also under these Node binaries (or NODES=…); always under the running one
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { contentFaults, contentNote, kib } from "./package-content.mjs";
import { nodesAsked } from "../test/nodes.mjs";

const root = new URL("../..", import.meta.url).pathname;
const tool = (name) => `${root}node_modules/.bin/${name}`;
const NPM = ["--prefer-offline", "--no-audit", "--no-fund", "--no-update-notifier"];

class Failure extends Error {}

const run = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], ...options });
    let [stdout, text] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += chunk));
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
    child.on("error", reject);
    child.on("close", (status) => {
      if (status === 0) resolve({ stdout, text });
      else reject(new Failure(`${command} ${args.join(" ")} ended with ${status}\n${text}`));
    });
  });
const mustShow = (text, pattern, what) => {
  if (!pattern.test(text)) throw new Failure(`${what} does not show ${pattern}:\n${text}`);
};
const step = async (name, work) => {
  const started = performance.now();
  const said = await work();
  console.log(`${name}: ${said ?? "fine"} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
};

const CONSUMER = `import { runSchbench, type RunResult } from "schbench-ts";
const run = runSchbench({ kind: "schbench", messageThreads: 1, workerThreads: 1, runtimeSec: 1 });
const result: RunResult = await run.result;
if (!(result.averageRps !== null && result.averageRps > 0)) throw new Error("no requests");
console.log(\`\${result.source.kind} \${result.averageRps}\`);
`;
const CONSUMER_CONFIG = {
  compilerOptions: {
    module: "nodenext",
    target: "es2023",
    lib: ["es2023"],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    types: ["node"],
    typeRoots: [`${root}node_modules/@types`],
    noEmitOnError: true,
  },
  files: ["consumer.ts"],
};

const scratch = mkdtempSync(`${tmpdir()}/package-check-`);
const [local, global] = [`${scratch}/local`, `${scratch}/global`];
const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
let packed;
let tarball;

const pack = async () => {
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", scratch]);
  [packed] = JSON.parse(stdout);
  tarball = `${scratch}/${packed.filename}`;
  const faults = contentFaults(root, packed);
  for (const name of ["preinstall", "install", "postinstall"])
    if (name in manifest.scripts) faults.push(`script "${name}" would run on the user's machine`);
  if (faults.length > 0) throw new Failure(`the package is not as it should be\n${faults.join("\n")}`);
  return `${packed.files.length} files, ${kib(packed.size)} packed, ${kib(packed.unpackedSize)} unpacked${contentNote(packed)}`;
};

const installLocally = async () => {
  mkdirSync(local);
  writeFileSync(`${local}/package.json`, '{ "private": true, "type": "module" }\n');
  await run("npm", ["install", "--ignore-scripts", ...NPM, tarball], { cwd: local });
  await run("npx", ["--offline", "schbench-ts", "--version"], { cwd: local });
  writeFileSync(`${local}/consumer.ts`, CONSUMER);
  writeFileSync(`${local}/tsconfig.json`, JSON.stringify(CONSUMER_CONFIG));
  await run(tool("tsc"), ["-p", local], { cwd: local });
};

const installGlobally = async () => {
  await run("npm", ["install", "--global", "--prefix", global, ...NPM, tarball], { cwd: scratch });
  const { text } = await run(`${global}/bin/schbench-ts`, ["--version"], { cwd: scratch });
  mustShow(text, new RegExp(`^schbench-ts ${manifest.version}$`, "mu"), "--version of the global command");
  if (!existsSync(`${global}/share/man/man1/schbench-ts.1`)) throw new Failure("the man page was not installed");
};

const use = async ({ path, env }) => {
  const command = `${local}/node_modules/.bin/schbench-ts`;
  const { text: version } = await run(command, ["--version"], { cwd: local, env });
  mustShow(version, /^engine native: .*(gcc|clang)/mu, "--version");
  for (const engine of ["native", "v8"]) {
    const args = ["-m", "1", "-t", "1", "-r", "1", "--engine", engine];
    const { text } = await run(command, args, { cwd: local, env });
    mustShow(text, /^average rps: [1-9]/mu, `a run of the ${engine} engine`);
  }
  const { text } = await run(path, ["consumer.js"], { cwd: local, env });
  mustShow(text, /^engine [1-9]/mu, "a program that imports the library");
};

try {
  await step("content", pack);
  await step("publint", () => run(tool("publint"), ["run", "--strict", tarball]).then(() => undefined));
  await step("types (attw)", () =>
    run(tool("attw"), ["--profile", "esm-only", "--no-definitely-typed", tarball]).then(() => undefined),
  );
  await step("install --ignore-scripts, npx, types for a user", installLocally);
  await step("install --global, man page", installGlobally);
  const running = { path: process.execPath, version: process.version, env: process.env };
  for (const node of [running, ...nodesAsked(process.argv.slice(2))])
    await step(`command, engines and library on Node ${node.version}`, () => use(node));
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
