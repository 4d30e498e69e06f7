/** `validate --fingerprint` with real runs: needs root and tracefs, else skipped with the reason. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { UserError } from "../../../src/errors.js";
import { explainReadiness } from "../../../src/explain/trace/tracefs.js";
import { nodeTracefs } from "../../../src/explain/trace/tracefs-node.js";
import { DEED_EVENTS, LIFE_EVENTS } from "../../../src/fingerprint/fingerprint-events.js";
import { PACKAGE_FILES } from "../../../src/package-files.js";
import { runCommand } from "../../helpers/command.js";
import { fakeBench } from "../../helpers/fakes/fake-bench.js";

const { missing } = explainReadiness(nodeTracefs(), { ...DEED_EVENTS, ...LIFE_EVENTS });
const skip = missing.length > 0 ? missing.map(({ what }) => what).join("; ") : false;

interface Row {
  readonly id: string;
  readonly subjects: readonly { readonly subject: string; readonly values: readonly (number | null)[] }[];
  readonly verdicts: readonly { readonly status: string }[];
}

void test(
  "threads that are all created by the main thread are found outside in two rounds of real runs: each reference's message thread creates its workers",
  { skip },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "schbench-ts-"));
    try {
      // A program whose threads begin as the C program's do: this engine, which prints what that prints.
      const reference = join(folder, "schbench");
      writeFileSync(reference, `#!/bin/sh\nexec "${process.execPath}" "${PACKAGE_FILES.command}" "$@"\n`);
      chmodSync(reference, 0o755);
      const { code, stdout, stderr } = await runCommand([
        ..."validate --axes t1 --runs 2 --runtime 2 --fingerprint --no-code --format json".split(" "),
        "--reference",
        `straight=${reference}`,
        "--ours",
        "crossed",
        "--flags",
        "crossed=--birth crossed",
        "-o",
        join(folder, "runs.ndjson"),
      ]);
      assert.equal(code, 2, stderr);
      const rows: readonly Row[] = JSON.parse(stdout).axes[0].metrics;
      const born = rows.find(({ id }) => id === "worker-created-by-message");
      assert.deepEqual(
        born?.subjects.map(({ subject, values }) => [subject, values]),
        [
          ["straight", [1, 1]],
          ["crossed", [0, 0]],
        ],
      );
      assert.deepEqual(
        born.verdicts.map(({ status }) => status),
        ["outside"],
      );
      const sleeps = rows.find(({ id }) => id === "worker-sleep-calls");
      for (const { subject, values } of sleeps?.subjects ?? [])
        for (const value of values)
          assert.ok((value ?? 0) > 0.9 && (value ?? 0) < 1.1, `${subject}: ${value} sleeps a request`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

void test("without the right to trace, nothing runs", async () => {
  const bench = fakeBench({
    checkTracing: async () => {
      throw new UserError("cannot take a fingerprint: not root", "Run it as root.");
    },
  });
  try {
    const words = ["--reference", `gcc=${bench.fake("gcc")}`, "--axes", "t1", "--fingerprint", "-o", "{}/v.ndjson"];
    const { code, stderr } = await bench.run("validate", words);
    assert.equal(code, 1);
    assert.match(stderr, /cannot take a fingerprint: not root\nRun it as root\./u);
    assert.deepEqual(
      bench.logged().filter((line) => / -r /u.test(line)),
      [],
    );
  } finally {
    bench.remove();
  }
});
