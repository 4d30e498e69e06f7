import assert from "node:assert/strict";
import { test } from "node:test";
import { UserError } from "../../../../src/errors.js";
import { openTrace } from "../../../../src/explain/trace/open-trace.js";
import { ringKibPerCpu } from "../../../../src/explain/trace/ring-size.js";
import { explainReadiness } from "../../../../src/explain/trace/tracefs.js";
import { emptyPage, fakeTracefs } from "../fake-tracefs.js";

const INSTANCE = "/sys/kernel/tracing/instances/schbench-ts-4242";
const STATS = `${INSTANCE}/per_cpu/cpu0/stats`;

const refusal = (open: () => unknown): UserError => {
  try {
    open();
  } catch (thrown) {
    if (thrown instanceof UserError) return thrown;
    throw thrown;
  }
  throw new Error("nothing was refused");
};

void test("an instance of its own is set up with the monotonic clock and every event, and not yet recording", () => {
  const { platform, files, instances } = fakeTracefs();
  openTrace({ platform });
  assert.deepEqual(instances(), ["schbench-ts-4242"]);
  assert.equal(files.get(`${INSTANCE}/trace_clock`), "mono");
  assert.equal(files.get(`${INSTANCE}/tracing_on`), "0");
  for (const event of ["sched/sched_switch", "irq/softirq_exit", "irq_vectors/local_timer_entry"])
    assert.equal(files.get(`${INSTANCE}/events/${event}/enable`), "1");
});

void test("start records, stop stops, and remove leaves neither the instance nor an open file", () => {
  const { platform, files, instances, openFiles } = fakeTracefs();
  const trace = openTrace({ platform });
  trace.start();
  assert.equal(files.get(`${INSTANCE}/tracing_on`), "1");
  trace.stop();
  assert.equal(files.get(`${INSTANCE}/tracing_on`), "0");
  trace.remove();
  trace.remove();
  assert.deepEqual(instances(), []);
  assert.equal(openFiles(), 0);
});

void test("the instance is removed when setting it up fails half-way", () => {
  const { platform, instances, openFiles } = fakeTracefs({ refuseWrite: (path) => path.includes("softirq_exit") });
  const error = refusal(() => openTrace({ platform }));
  assert.match(error.message, /cannot set up tracing in .*EPERM/);
  assert.deepEqual(instances(), []);
  assert.equal(openFiles(), 0);
});

void test("left-overs of dead processes are removed, those of living ones and of others stay", () => {
  const { platform, instances } = fakeTracefs({ alive: [77] });
  for (const name of ["schbench-ts-66", "schbench-ts-77", "somebody-else"])
    platform.makeDirectory(`/sys/kernel/tracing/instances/${name}`);
  const trace = openTrace({ platform });
  assert.deepEqual(trace.leftovers, ["schbench-ts-66"]);
  trace.remove();
  assert.deepEqual(instances(), ["schbench-ts-77", "somebody-else"]);
});

void test("an instance of a process in another PID namespace stays while somebody reads it, whatever its id is here", () => {
  const { platform, instances } = fakeTracefs({ pidNamespace: 4_026_532_001 });
  const trace = openTrace({ platform });
  assert.deepEqual(instances(), ["schbench-ts-4242-ns4026532001"]);
  const recording: string[] = [];
  const outside = {
    ...platform,
    pidNamespace: null,
    writeText: (path: string, text: string) => {
      recording.push(path);
      platform.writeText(path, text);
    },
  };
  const other = openTrace({ platform: outside });
  assert.deepEqual(other.leftovers, []);
  assert.deepEqual(
    recording.filter((path) => path.includes("ns4026532001")),
    [],
  );
  other.remove();
  trace.remove();
});

void test("periods of CPU limits are recorded only where there is a limit, and of no other timer", () => {
  const event = `${INSTANCE}/events/timer/hrtimer_expire_entry`;
  const without = fakeTracefs();
  openTrace({ platform: without.platform });
  assert.equal(without.files.get(`${event}/enable`), "0");
  const limited = fakeTracefs();
  openTrace({ platform: limited.platform, hasCpuLimit: true });
  assert.equal(limited.files.get(`${event}/filter`), "function.function == sched_cfs_period_timer");
  assert.equal(limited.files.get(`${event}/enable`), "1");
});

void test("a kernel that knows no function names in filters gets the address, and without one records no periods", () => {
  const event = `${INSTANCE}/events/timer/hrtimer_expire_entry`;
  const old = fakeTracefs();
  const refusing = (kept: (text: string) => boolean) => ({
    ...old.platform,
    writeText: (path: string, text: string) => {
      if (path === `${event}/filter` && !kept(text)) throw new Error("EINVAL: invalid argument, write");
      old.platform.writeText(path, text);
    },
  });
  openTrace({ platform: refusing((text) => text.startsWith("function == 0x")), hasCpuLimit: true }).remove();
  openTrace({ platform: refusing((text) => text.startsWith("function == 0x")), hasCpuLimit: true });
  assert.equal(old.files.get(`${event}/filter`), "function == 0xffffffff81000000");
  assert.equal(old.files.get(`${event}/enable`), "1");
  old.files.set(`${event}/enable`, "0");
  openTrace({ platform: refusing(() => false), hasCpuLimit: true });
  assert.equal(old.files.get(`${event}/enable`), "0");
});

void test("without root, without tracefs and without an event, the error says what is missing and how to get it", () => {
  const notRoot = refusal(() => openTrace({ platform: fakeTracefs({ isRoot: false }).platform }));
  assert.match(notRoot.message, /not root/);
  assert.match(notRoot.remedy ?? "", /sudo/);
  const notMounted = refusal(() => openTrace({ platform: fakeTracefs({ isMounted: false }).platform }));
  assert.match(notMounted.message, /tracefs is not mounted at "\/sys\/kernel\/tracing"/);
  assert.match(notMounted.remedy ?? "", /mount -t tracefs/);
  const noEvent = refusal(() => openTrace({ platform: fakeTracefs({ withoutEvent: "irq/softirq_entry" }).platform }));
  assert.match(noEvent.message, /lacks the event "irq\/softirq_entry"/);
});

void test("an event that only makes the explanation finer may be absent", () => {
  const readiness = explainReadiness(fakeTracefs({ withoutEvent: "power/cpu_idle" }).platform);
  assert.deepEqual(readiness, {
    ready: true,
    directory: "/sys/kernel/tracing",
    missing: [],
    absentEvents: ["power/cpu_idle"],
  });
});

void test("rings are small where there are many CPUs or little memory, never too small to be of use", () => {
  assert.equal(ringKibPerCpu(2, 8_000_000), 16_384);
  assert.equal(ringKibPerCpu(2, 100_000), 3125);
  assert.equal(ringKibPerCpu(256, 1_000_000_000), 1024);
  assert.equal(ringKibPerCpu(2, 1000), 512);
  assert.equal(ringKibPerCpu(2, null), 16_384);
});

void test("rings that are less than half full are not read while the run goes on", () => {
  const { platform, files, ring } = fakeTracefs();
  const trace = openTrace({ platform, ringKib: 1024 });
  files.set(STATS, `bytes: ${500 * 1024}\n`);
  ring(0).push(emptyPage(5));
  trace.poll(() => []);
  assert.equal(ring(0).length, 1);
});

void test("rings that are half full are emptied, and only pages of slow wakeups and the newest are kept", () => {
  let nowNsec = 10_000_000_000;
  const { platform, files, ring } = fakeTracefs({ nowNsec: () => nowNsec });
  const trace = openTrace({ platform, ringKib: 1024 });
  files.set(STATS, `bytes: ${600 * 1024}\n`);
  for (let sec = 1; sec < 10; sec++) ring(0).push(emptyPage(sec * 1_000_000_000));
  const slow = {
    workerIndex: 0,
    tid: 1,
    wakeNsec: 3_500_000_000,
    runNsec: 3_600_000_000,
    wakerTid: 2,
    cpuBefore: 0,
    cpuAfter: 0,
  };
  nowNsec += 1_000_000_000;
  trace.poll(() => [slow]);
  assert.equal(ring(0).length, 0);
  const { trace: read, counts } = trace.collect([slow]);
  assert.equal(counts.drains, 1);
  assert.deepEqual(
    read.lost.map(({ fromNsec, toNsec }) => [fromNsec / 1e9, toNsec / 1e9]),
    [
      [-Infinity, 3],
      [5, Infinity],
    ],
  );
});

void test("the faster a ring fills, the sooner it is looked at again", () => {
  let nowNsec = 0;
  const { platform, files } = fakeTracefs({ nowNsec: () => nowNsec });
  const trace = openTrace({ platform, ringKib: 1024 });
  nowNsec += 1_000_000_000;
  files.set(STATS, `bytes: ${256 * 1024}\n`);
  assert.equal(
    trace.poll(() => []),
    500,
  );
  nowNsec += 100_000_000;
  files.set(STATS, `bytes: ${384 * 1024}\n`);
  assert.equal(
    trace.poll(() => []),
    50,
  );
});

void test("what the kernel overwrote and dropped is counted over all CPUs", () => {
  const { platform, files } = fakeTracefs();
  const trace = openTrace({ platform });
  files.set(STATS, "entries: 0\noverrun: 10\ncommit overrun: 0\nbytes: 0\ndropped events: 2\nread events: 90\n");
  files.set(
    STATS.replace("cpu0", "cpu1"),
    "entries: 0\noverrun: 5\ncommit overrun: 1\nbytes: 0\ndropped events: 0\nread events: 7\n",
  );
  const { counts } = trace.collect([]);
  assert.equal(counts.lostEvents, 18);
  assert.equal(counts.events, 115);
});
