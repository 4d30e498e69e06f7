import assert from "node:assert/strict";
import { test } from "node:test";
import { errorText } from "../../../src/cli/main.js";

const systemError = (code: string, syscall: string) =>
  Object.assign(new Error(`${code}: what libuv says, ${syscall}`), { code, syscall });

for (const [what, thrown, said] of [
  ["no descriptor is left", systemError("EMFILE", "open"), /^schbench-ts: too many files are open\nRaise .*ulimit -n/],
  ["the directory is gone", systemError("ENOENT", "uv_cwd"), /^schbench-ts: the current directory no longer exists/],
  ["no process can be started", systemError("EAGAIN", "spawn"), /^schbench-ts: no more processes .*\nRaise ulimit -u/],
  [
    "koffi has no binary for this machine",
    new Error("Cannot find the native Koffi module; did you bundle it correctly?"),
    /^schbench-ts: koffi, .* has no binary that loads here\nInstall /,
  ],
  [
    "no address space is left",
    new RangeError("WebAssembly.Memory(): could not allocate memory"),
    /^schbench-ts: there is not enough memory\nRaise ulimit -v/,
  ],
] as const)
  void test(`when ${what}, the message is about that and not about a fault of ours`, async () => {
    const text = await errorText(thrown, false, null);
    assert.match(text, said);
    assert.doesNotMatch(text, /bug in schbench-ts/);
  });

void test("any other error is still a fault of ours", async () => {
  assert.match(await errorText(new TypeError("x is not a function"), false, null), /This is a bug in schbench-ts/);
});
