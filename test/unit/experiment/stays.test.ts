import assert from "node:assert/strict";
import { test } from "node:test";
import type { Arrival, Laboratory, Place, Stay } from "../../../src/experiment/laboratory.js";
import type { ExperimentHeader, RunRecord } from "../../../src/experiment/record.js";
import { type ExperimentEvent, runExperiment } from "../../../src/experiment/runner.js";
import { bootOf } from "../../../src/experiment/schedule.js";
import { Interrupted, PlaceLost } from "../../../src/experiment/surroundings.js";
import type { Whereabouts } from "../../../src/experiment/whereabouts.js";
import { type FakeAnswers, fakeLaboratory } from "../../helpers/fakes/fake-laboratory.js";
import { external, fakeHeader, fakeRecord } from "../../helpers/fakes/fake-store.js";

const vm = (kernel: string): Whereabouts => ({
  kind: "vm",
  kernel,
  vm: {
    cpus: 2,
    memoryMib: 1024,
    sockets: null,
    cores: null,
    threads: null,
    nodes: 1,
    pin: null,
    append: "",
    files: [],
    emulate: true,
    bootLimitSec: 60,
  },
});

const booted = (more: Partial<ExperimentHeader> = {}): ExperimentHeader =>
  fakeHeader({
    subjects: [
      external("old", { place: vm("6.1"), setup: "up", teardown: "down" }),
      external("new", { place: vm("6.12"), setup: "up", teardown: "down" }),
    ],
    rounds: 4,
    runsPerBoot: 2,
    warmupRounds: 1,
    ...more,
  });

/** A laboratory whose place logs who enters and leaves it, each time as another boot. */
const withPlace = (answers: FakeAnswers = {}, enter?: (stay: Stay) => Promise<Arrival>) => {
  const stays: Stay[] = [];
  const site = fakeLaboratory(answers);
  const place: Place = {
    check: async () => undefined,
    close: async () => undefined,
    plan: async () => ({ refusal: null, once: [], each: [], end: [] }),
    enter:
      enter ??
      (async (stay) => {
        stays.push(stay);
        const bootId = `boot-${stays.length}`;
        site.log.push(`enter ${stay.subject.name} ${stay.boot}`);
        return {
          kind: "there",
          site: { ...site, origin: () => ({ bootId, kernel: stay.subject.name, hostname: "guest", version: "0" }) },
          leave: async () => void site.log.push("leave"),
        };
      }),
  };
  const here = fakeLaboratory({ place });
  const lab: Laboratory = here;
  return { lab, here, there: site.log, stays };
};

/** What happens there in one boot of a subject. */
const logOfBoot = (subject: string, number: number) => [
  `enter ${subject} ${number}`,
  ...[1, 2, 3].flatMap(() => ["sh up", `run ./${subject} -x`, "sh down"]),
  "leave",
];

/** Where a run of an earlier session was made. */
const madeIn = (bootId: string) => ({ bootId, kernel: "k", hostname: "guest", version: "0" });

const runAll = async (
  header: ExperimentHeader,
  lab: Laboratory,
  records: readonly RunRecord[] = [],
  signal: AbortSignal = new AbortController().signal,
) => {
  const events: ExperimentEvent[] = [];
  for await (const event of runExperiment(header, records, lab, signal)) events.push(event);
  return events;
};

void test("a place is entered once for each boot of a subject, and all of a run happens there", async () => {
  const { lab, here, there } = withPlace();
  await runAll(booted(), lab);
  assert.deepEqual(here.log, []);
  const order = there.filter((line) => line.startsWith("enter")).map((line) => line.split(" ").slice(1));
  assert.deepEqual(
    there,
    order.flatMap(([subject, number]) => logOfBoot(subject ?? "", Number(number))),
  );
  assert.deepEqual(
    order.map(([, number]) => number),
    ["1", "1", "2", "2"],
  );
});

void test("each run says in which boot it was made, and the first of each boot is a warm-up", async () => {
  const { lab, here } = withPlace();
  const header = booted();
  await runAll(header, lab);
  const seen = new Map<string, Set<number>>();
  for (const { slot, origin } of here.stored) {
    const boots = seen.get(origin?.bootId ?? "") ?? new Set();
    seen.set(origin?.bootId ?? "", boots.add(bootOf(header, slot.round)));
  }
  assert.deepEqual(
    [...seen.values()].map((boots) => boots.size),
    [1, 1, 1, 1],
  );
  assert.deepEqual(
    here.stored.map(({ excluded }) => excluded?.code ?? null),
    Array.from({ length: 4 }, () => ["warm-up", null, null]).flat(),
  );
});

void test("a stay is told the boots of all others, those of an earlier session included, but not its own", async () => {
  const header = booted({ warmupRounds: 0 });
  const { lab, stays } = withPlace();
  await runAll(header, lab, [
    fakeRecord("old", "x", 1, { origin: madeIn("early-old") }),
    fakeRecord("new", "x", 1, { origin: madeIn("early-new") }),
  ]);
  const first = stays.find(({ subject, boot }) => subject.name === "old" && boot === 1);
  const ids = first?.others.map(({ bootId }) => bootId) ?? [];
  assert.ok(ids.includes("early-new"));
  assert.ok(!ids.includes("early-old"));
});

void test("a subject without a place runs here between those that have one", async () => {
  const { lab, here, there } = withPlace();
  const [old] = booted().subjects;
  assert.ok(old);
  await runAll(booted({ subjects: [old, external("here")], runsPerBoot: 1, warmupRounds: 0, rounds: 2 }), lab);
  assert.deepEqual(here.log, ["run ./here -x", "run ./here -x"]);
  assert.equal(there.filter((line) => line === "leave").length, 2);
});

void test("a place that is ready later ends the experiment for now, without a run", async () => {
  const { lab, here } = withPlace({}, async () => ({ kind: "later", message: "rebooting" }));
  const events = await runAll(booted(), lab);
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ["run-started", "later"],
  );
  assert.deepEqual(here.stored, []);
});

void test("a place that is lost in mid-run loses this run alone: nothing is torn down there, and it is left", async () => {
  let runs = 0;
  const { lab, here, there } = withPlace({
    execute: () => {
      if (++runs < 3) return {};
      throw new PlaceLost("the guest of subject has panicked");
    },
  });
  await assert.rejects(runAll(booted(), lab), /has panicked/);
  assert.equal(here.stored.length, 2);
  assert.deepEqual(there.slice(-2), [there.findLast((line) => line.startsWith("run")), "leave"]);
});

void test("an interruption while a place is entered, or in a run there, leaves it", async () => {
  const stop = new AbortController();
  const entering = withPlace({}, async () => {
    throw new Interrupted();
  });
  assert.equal((await runAll(booted(), entering.lab)).at(-1)?.kind, "interrupted");
  const running = withPlace({
    execute: () => {
      stop.abort();
      return {};
    },
  });
  assert.equal((await runAll(booted(), running.lab, [], stop.signal)).at(-1)?.kind, "interrupted");
  assert.equal(running.there.at(-1), "leave");
  assert.deepEqual(running.here.stored, []);
});
