// The engine module compiled ahead of time: Wasm → C (wasm2c) → one shared library per kind of CPU.
import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";

const FLAGS = [
  "-O2",
  "-std=gnu11",
  "-Wall",
  "-Wextra",
  "-Werror",
  "-fPIC",
  "-shared",
  "-fvisibility=hidden",
  "-pthread",
];

/** What is built where: the compilers to try, and what sets this CPU apart. */
const BUILDS = {
  x64: [
    { variant: "x86-64-v3", compilers: ["gcc", "clang", "cc"], flags: ["-march=x86-64-v3"] },
    { variant: "x86-64", compilers: ["gcc", "clang", "cc"], flags: [] },
    { variant: "aarch64", compilers: ["aarch64-linux-gnu-gcc"], flags: [], cross: true },
  ],
  arm64: [{ variant: "aarch64", compilers: ["gcc", "clang", "cc"], flags: [] }],
};

const works = (compiler) => spawnSync(compiler, ["--version"], { stdio: "ignore" }).status === 0;

/** Builds every library that a compiler here can make; one line says so when there is none. */
export const buildNative = (root, wasm, node) => {
  const builds = BUILDS[process.arch] ?? [];
  const generated = `${root}dist/wasm2c`;
  const chosen = builds.flatMap((build) => {
    const candidates = !build.cross && process.env.CC ? [process.env.CC] : build.compilers;
    const compiler = candidates.find(works);
    return compiler === undefined ? [] : [{ ...build, compiler }];
  });
  if (!chosen.some(({ cross }) => !cross)) {
    console.error(
      "schbench-ts: no C compiler found; the v8 engine will run (install gcc and run: npm run build:native)",
    );
    return;
  }
  mkdirSync(generated, { recursive: true });
  node("node_modules/wabt/bin/wasm2c", "--enable-threads", wasm, "-n", "schbench", "-o", "dist/wasm2c/schbench.c");
  for (const { variant, compiler, flags } of chosen) {
    const out = `${root}dist/engine/schbench-${variant}.so`;
    const args = [
      ...FLAGS,
      ...flags,
      "-I",
      `${root}native`,
      "-I",
      generated,
      `${root}native/host.c`,
      "-o",
      `${out}.new`,
    ];
    const result = spawnSync(compiler, args, { stdio: ["ignore", "inherit", "inherit"] });
    if (result.status !== 0) process.exit(result.status ?? 1);
    renameSync(`${out}.new`, out);
  }
};
