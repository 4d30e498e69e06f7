import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type CpioEntry, foldersOf, writeCpio } from "../../../../src/laboratory/vm/cpio.js";

const hasCpio = spawnSync("cpio", ["--version"]).status === 0;

const written = (folder: string, entries: readonly CpioEntry[]): { path: string; bytes: number } => {
  const path = join(folder, "archive");
  const file = openSync(path, "w");
  const bytes = writeCpio(file, entries);
  closeSync(file);
  return { path, bytes };
};

const inFolder = (use: (folder: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), "cpio-"));
  try {
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Names, modes and contents by the format's description alone, not by our writer. */
const readNewc = (archive: Buffer) => {
  const entries: { name: string; mode: number; device: string; content: string }[] = [];
  for (let at = 0; ;) {
    assert.equal(archive.toString("latin1", at, at + 6), "070701");
    const field = (index: number): number =>
      Number.parseInt(archive.toString("latin1", at + 6 + index * 8, at + 14 + index * 8), 16);
    const nameEnd = at + 110 + field(11);
    const name = archive.toString("utf8", at + 110, nameEnd - 1);
    const start = nameEnd + ((4 - (nameEnd % 4)) % 4);
    const end = start + field(6);
    if (name === "TRAILER!!!") return entries;
    entries.push({
      name,
      mode: field(1),
      device: `${field(9)}:${field(10)}`,
      content: archive.toString("utf8", start, end),
    });
    at = end + ((4 - (end % 4)) % 4);
  }
};

const ENTRIES = (from: string): readonly CpioEntry[] => [
  { kind: "folder", path: "/proc" },
  { kind: "device", path: "/dev/console", major: 5, minor: 1 },
  { kind: "text", path: "/etc/a.json", text: "{}\n", mode: 0o644 },
  { kind: "file", path: "/usr/bin/tool", from, mode: 0o755 },
  { kind: "link", path: "/bin", target: "usr/bin" },
];

void test("an archive holds every entry with its kind, mode, device and content, and its folders before it", () =>
  inFolder((folder) => {
    const from = join(folder, "tool");
    writeFileSync(from, "#!/bin/sh\necho é\n");
    const { path, bytes } = written(folder, ENTRIES(from));
    assert.equal(statSync(path).size, bytes);
    assert.equal(bytes % 4, 0);
    const shown = readNewc(readFileSync(path)).map(({ name, mode, device, content }) => [
      name,
      mode.toString(8),
      device,
      content,
    ]);
    assert.deepEqual(shown, [
      ["dev", "40755", "0:0", ""],
      ["etc", "40755", "0:0", ""],
      ["usr", "40755", "0:0", ""],
      ["usr/bin", "40755", "0:0", ""],
      ["proc", "40755", "0:0", ""],
      ["dev/console", "20600", "5:1", ""],
      ["etc/a.json", "100644", "0:0", "{}\n"],
      ["usr/bin/tool", "100755", "0:0", "#!/bin/sh\necho é\n"],
      ["bin", "120777", "0:0", "usr/bin"],
    ]);
  }));

void test("GNU cpio reads an archive back", { skip: hasCpio ? false : "cpio is not installed" }, () =>
  inFolder((folder) => {
    const from = join(folder, "tool");
    writeFileSync(from, "x".repeat(1025));
    const { path } = written(folder, ENTRIES(from));
    const listed = execFileSync("cpio", ["-itv", "--quiet", "-F", path], { encoding: "utf8" });
    assert.match(listed, /^crw-------.* 5, +1 .*dev\/console$/mu);
    assert.match(listed, /^-rwxr-xr-x.* 1025 .*usr\/bin\/tool$/mu);
    assert.match(listed, /bin -> usr\/bin$/mu);
  }),
);

void test("folders come once each, outer ones first", () => {
  assert.deepEqual(foldersOf(["/a/b/c", "/a/b/d", "/e"]), ["/a", "/a/b"]);
});
