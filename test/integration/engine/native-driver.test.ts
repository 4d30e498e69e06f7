import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";

const root = new URL("../../../..", import.meta.url).pathname;
const has = (command: string): boolean => spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;

/** Debian keeps the headers of the architecture in a folder of its own. */
const KERNEL_HEADERS = ["x86_64-linux-gnu", "aarch64-linux-gnu"].flatMap((machine) => [
  "-idirafter",
  `/usr/include/${machine}`,
]);

/** Compiles test/native/driver.c, which holds the native host and the generated module, and runs it. */
const drive = (t: TestContext, compiler: string, flags: readonly string[], runner: readonly string[]): void => {
  for (const needed of [compiler, ...runner.slice(0, 1)])
    if (!has(needed)) {
      t.skip(`${needed} is not installed`);
      return;
    }
  const folder = mkdtempSync(join(tmpdir(), "schbench-ts-"));
  try {
    const program = join(folder, "driver");
    const compiled = spawnSync(
      compiler,
      [
        "-g",
        "-std=gnu11",
        ...flags,
        "-Inative",
        "-Idist/wasm2c",
        "-pthread",
        "test/native/driver.c",
        "-o",
        program,
        "-lm",
      ],
      { cwd: root, encoding: "utf8" },
    );
    if (/cannot find .*(asan|ubsan|tsan)/u.test(compiled.stderr)) {
      t.skip("the sanitizer's library is not installed");
      return;
    }
    assert.equal(compiled.status, 0, compiled.stderr);
    const run = spawnSync([...runner, program][0] ?? "", [...runner, program].slice(1), {
      cwd: root,
      encoding: "utf8",
      timeout: 120_000,
      env: { ...process.env, TSAN_OPTIONS: "suppressions=test/native/tsan.supp" },
    });
    assert.equal(run.status, 0, run.stderr);
    assert.match(run.stderr, /pipe: fine/u);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

test("the native engine runs clean under AddressSanitizer and UndefinedBehaviorSanitizer", (t) =>
  drive(t, "gcc", ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"], []));

test("lists, futexes, locks and all modes run clean under ThreadSanitizer, but for the races that are meant", (t) =>
  drive(t, "gcc", ["-O1", "-fsanitize=thread"], []));

test("the aarch64 build passes the same self-test under user-mode emulation", (t) =>
  drive(t, "aarch64-linux-gnu-gcc", ["-O2", "-static"], ["qemu-aarch64"]));

test("built against musl, the C library of Alpine, it passes the same self-test", (t) =>
  // musl's headers first; those of the kernel are the system's.
  drive(t, "musl-gcc", ["-O2", "-static", "-idirafter", "/usr/include", ...KERNEL_HEADERS], []));
