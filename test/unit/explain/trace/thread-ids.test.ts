import assert from "node:assert/strict";
import { test } from "node:test";
import { UserError } from "../../../../src/errors.js";
import { kernelIdsIn, openThreadIds } from "../../../../src/explain/trace/thread-ids.js";
import { hasOtherIds } from "../../../../src/explain/trace/tracefs.js";
import { fakeTracefs } from "../fake-tracefs.js";

const CONTAINER = 4_026_532_001;
const THREADS = new Map([
  [4242, 90_001],
  [4243, 90_007],
]);

void test("outside of containers the trace knows threads by their own ids", () => {
  assert.equal(hasOtherIds(fakeTracefs({ pidNamespace: 4_026_531_836 }).platform), false);
  assert.equal(hasOtherIds(fakeTracefs().platform), false);
  assert.equal(hasOtherIds(fakeTracefs({ pidNamespace: CONTAINER }).platform), true);
});

void test("in a PID namespace of its own every thread's id in the trace is found, and its name is as before", () => {
  const { platform, files, instances, openFiles } = fakeTracefs({ pidNamespace: CONTAINER, threads: THREADS });
  const ids = openThreadIds(platform);
  assert.deepEqual([...ids.read()], [...THREADS]);
  assert.equal(files.get("/proc/self/task/4243/comm"), "node");
  ids.remove();
  ids.remove();
  assert.deepEqual(instances(), []);
  assert.equal(openFiles(), 0);
});

void test("a thread that has ended since the last look is still known, and a new one is added", () => {
  const { platform, files } = fakeTracefs({ pidNamespace: CONTAINER, threads: THREADS });
  const ids = openThreadIds(platform);
  files.delete("/proc/self/task/4243/comm");
  files.delete("/proc/self/task/4243/status");
  assert.equal(ids.read().get(4243), 90_007);
});

void test("the name in /proc of an outer namespace is told from the id of the thread", () => {
  const { platform, files } = fakeTracefs({ pidNamespace: CONTAINER, threads: new Map([[77, 90_001]]) });
  files.set("/proc/self/task/77/status", "NSpid:\t90001\t4242\n");
  assert.deepEqual([...openThreadIds(platform).read()], [[4242, 90_001]]);
});

void test("a kernel that does not record who was renamed is refused before the run, with what to do", () => {
  for (const options of [{ withoutEvent: "task/task_rename" }, { threads: new Map() }]) {
    const { platform, instances, openFiles } = fakeTracefs({ pidNamespace: CONTAINER, ...options });
    assert.throws(
      () => openThreadIds(platform),
      (thrown) =>
        thrown instanceof UserError && /PID namespace/.test(thrown.message) && /--pid=host/.test(thrown.remedy ?? ""),
    );
    assert.deepEqual(instances(), []);
    assert.equal(openFiles(), 0);
  }
});

void test("other renamings, and names with spaces, are passed over", () => {
  const text = [
    " node-9 [001] ..... 1.0: task_rename: pid=9 oldcomm=a b newcomm=sbts-5 oom_score_adj=0",
    " node-9 [001] ..... 1.0: task_rename: pid=9 oldcomm=sbts-5 newcomm=a b oom_score_adj=0",
    " bash-8 [001] ..... 1.0: task_rename: pid=8 oldcomm=bash newcomm=ls oom_score_adj=0",
  ].join("\n");
  assert.deepEqual([...kernelIdsIn(text)], [[5, 9]]);
});
