/** What is refused before anything is laid out, since this system cannot do it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setStage } from "../../../src/engine/stage.js";
import { closedLoopPlan, ratePlan } from "../../helpers/fakes/fake-plan.js";
import { BARE_METAL_INTEL, type FileTree, filesOf } from "../platform/machines.js";

const refused = (tree: FileTree, plan: Parameters<typeof setStage>[1], message: RegExp) =>
  assert.rejects(setStage(filesOf(tree), plan, false), { name: "EngineError", message });

void test("-A where /proc/stat cannot be read is refused, for its rate would stay where it starts", () =>
  refused(
    {},
    ratePlan({ autoBusyPercent: 30 }),
    /^cannot steer by -A "30": "\/proc\/stat", which .*, cannot be read$/u,
  ));

void test("more threads than a limit leaves are refused with the limit, not with the memory they would take", () =>
  refused(
    { ...BARE_METAL_INTEL, "/proc/sys/kernel/pid_max": "32768\n", "/proc/meminfo": "MemAvailable: 1000 kB\n" },
    closedLoopPlan({ workerThreads: 100_000 }),
    /^cannot start 100001 threads: the limit kernel\.pid_max /u,
  ));
