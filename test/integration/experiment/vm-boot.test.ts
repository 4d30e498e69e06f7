import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readExperiment } from "../../../src/experiment/read-experiment.js";
import { PACKAGE_FILES } from "../../../src/package-files.js";
import { guestKernels, noGuests } from "../../helpers/system/guest-kernel.js";

const kernels = guestKernels();

void test(
  "a kernel is booted once under emulation, and a run with a set-up is made and stored as the guest's",
  { skip: noGuests(kernels, 1) },
  () => {
    const folder = mkdtempSync(join(tmpdir(), "vm-boot-"));
    try {
      const store = join(folder, "runs.ndjson");
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [
          PACKAGE_FILES.command,
          "sweep",
          "--subject",
          "a",
          "--kernel",
          `a=${kernels[0]}`,
          "--emulate",
          "--vm",
          "cpus=2,memory=1G",
          "--boots",
          "1",
          "--runs",
          "1",
          "--warmup-runs",
          "0",
          "--vary",
          "t=1",
          "--setup",
          "a=sleep 30 &",
          "-o",
          store,
          "--",
          "-m",
          "1",
          "-r",
          "1",
        ],
        { encoding: "utf8", cwd: folder, env: { ...process.env, TMPDIR: folder } },
      );
      assert.equal(status, 0, stderr);
      assert.match(stderr, /under emulation; their times mean nothing/);
      assert.match(stdout, /wakeup/iu);
      const stored = readExperiment(readFileSync(store, "utf8"), store);
      const [record] = stored?.records ?? [];
      const here = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
      assert.ok(record?.origin !== undefined && record.result !== null);
      assert.notEqual(record.origin.bootId, here);
      assert.match(record.origin.hostname, /-vm$/);
      assert.ok((record.result.averageRps ?? 0) > 0);
      assert.deepEqual(readdirSync(folder), ["runs.ndjson"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
