import assert from "node:assert/strict";
import { test } from "node:test";
import { EXIT, UserError } from "../../../../src/errors.js";
import type { ExperimentHeader, RunRecord } from "../../../../src/experiment/record.js";
import { type ExperimentEvent, openSlots, runExperiment } from "../../../../src/experiment/runner.js";
import { schedule } from "../../../../src/experiment/schedule.js";
import type { Whereabouts } from "../../../../src/experiment/whereabouts.js";
import { placesOn } from "../../../../src/laboratory/places.js";
import { eventsIn, journalPath } from "../../../../src/laboratory/reboot/boot-journal.js";
import { UNIT_FILE, UNIT_LINK } from "../../../../src/laboratory/reboot/unit.js";
import { fakeLaboratory } from "../../../helpers/fakes/fake-laboratory.js";
import { fakeKernel, fakeMachine, type FakeMachine, grubMenu, PowerLoss } from "../../../helpers/fakes/fake-machine.js";
import { external, fakeHeader } from "../../../helpers/fakes/fake-store.js";

const STORE = "/data/runs.ndjson";
const OLD = "/boot/vmlinuz-6.1";
const NEW = "/boot/vmlinuz-6.12";
const KERNELS: Readonly<Record<string, string>> = { [OLD]: "6.1", [NEW]: "6.12" };

type Reboot = Extract<Whereabouts, { kind: "reboot" }>;
const at = (kernel: string, more: Partial<Reboot> = {}): Reboot => ({
  kind: "reboot",
  kernel,
  initrd: null,
  append: "",
  by: null,
  quietLimitSec: 10,
  ...more,
});
const headerWith = (more: Partial<Reboot> = {}) =>
  fakeHeader({
    subjects: [external("old", { place: at(OLD, more) }), external("new", { place: at(NEW, more) })],
    rounds: 4,
    runsPerBoot: 2,
  });
const header = headerWith();

/** What differs from a usual start of the command. */
interface Circumstances {
  readonly asked?: ExperimentHeader;
  readonly signal?: AbortSignal;
  readonly inRun?: () => void;
  readonly store?: string;
}

/** The command of a machine, as a process: ends with the power, a boot, or by itself. */
const session = async (
  machine: FakeMachine,
  records: RunRecord[],
  { asked = header, signal = new AbortController().signal, inRun, store = STORE }: Circumstances = {},
): Promise<readonly ExperimentEvent[]> => {
  const lab = fakeLaboratory({
    execute: () => {
      inRun?.();
      return {};
    },
  });
  const placeOf = placesOn({
    system: machine.system,
    site: lab,
    continuation: () => ({ command: ["/usr/bin/node", "/opt/bin.cjs"], folder: "/data", env: { PATH: "/bin" } }),
  });
  const events: ExperimentEvent[] = [];
  const here = {
    ...lab,
    placeOf: (where: Whereabouts) => placeOf(where, { store }),
    append: (record: RunRecord) => machine.effect("run", () => void records.push(record)),
  };
  for (const { place, ...subject } of asked.subjects)
    if (place !== undefined) await here.placeOf(place).check(subject, asked.cells, signal);
  for await (const event of runExperiment(asked, records, here, signal)) events.push(event);
  return events;
};

/** Boots and runs until nothing goes on by itself; a person starts the command again where the unit was not there yet. */
const untilDone = async (machine: FakeMachine, records: RunRecord[], asked = header): Promise<void> => {
  for (let sessions = 0; ; sessions++) {
    assert.ok(sessions < 40, `it boots without end:\n${machine.log.slice(-20).join("\n")}`);
    try {
      await session(machine, records, { asked });
    } catch (thrown) {
      if (!(thrown instanceof PowerLoss)) throw thrown;
      machine.boot();
      continue;
    }
    if (!machine.isLeaving()) return;
    machine.boot();
  }
};

/** Every run once, each with the kernel of its subject, no boot for two stays; and nothing left on the machine. */
const checkDone = (machine: FakeMachine, records: readonly RunRecord[], asked = header): void => {
  assert.equal(openSlots(schedule(asked), records).length, 0);
  assert.equal(records.length, schedule(asked).length);
  const stays = new Map<string, Set<string>>();
  for (const { slot, origin } of records) {
    assert.equal(origin?.kernel, slot.subject === "old" ? "6.1" : "6.12");
    const stay = `${slot.subject} ${Math.ceil(slot.round / 2)}`;
    stays.set(origin.bootId ?? "", (stays.get(origin.bootId ?? "") ?? new Set()).add(stay));
  }
  assert.ok([...stays.values()].every((inOneBoot) => inOneBoot.size === 1));
  assert.ok(!machine.disk.has(UNIT_FILE) && !machine.disk.has(UNIT_LINK));
};

const says = (machine: FakeMachine): readonly string[] =>
  eventsIn(machine.disk.get(journalPath(STORE)) ?? "").map(({ says: words }) => words);

for (const [way, machineOf] of [
  ["kexec", () => fakeMachine({ kernels: KERNELS })],
  [
    "GRUB",
    () =>
      fakeMachine({
        kernels: KERNELS,
        programs: ["grub-reboot", "systemctl", "sync"],
        files: { "/boot/grub/grub.cfg": grubMenu([OLD, NEW]) },
      }),
  ],
  [
    "systemd-boot",
    () =>
      fakeMachine({
        kernels: KERNELS,
        programs: ["bootctl", "systemctl", "sync"],
        files: {
          "/efi/loader/entries/vmlinuz-6.1.conf": "title old\nlinux /vmlinuz-6.1\noptions root=/dev/sda1\n",
          "/efi/loader/entries/vmlinuz-6.12.conf": "title new\nlinux /vmlinuz-6.12\noptions root=/dev/sda1\n",
        },
      }),
  ],
] as const) {
  void test(`by ${way}: each stay has a boot of its own, the unit is put there once and taken away at the end`, async () => {
    const machine = machineOf();
    const records: RunRecord[] = [];
    await untilDone(machine, records);
    checkDone(machine, records);
    assert.equal(machine.boots(), 1 + 4);
    assert.equal(machine.log.filter((line) => line === `write ${UNIT_FILE}`).length, 1);
    assert.equal(says(machine).at(-1), "all runs are made");
  });

  void test(`by ${way}: the power may fail before or after any effect: every run is made once, and nothing is left`, async () => {
    const uncut = machineOf();
    await untilDone(uncut, []);
    for (let effect = 1; effect <= uncut.effects(); effect++)
      for (const before of [true, false]) {
        const machine = machineOf();
        const records: RunRecord[] = [];
        machine.cutAt(effect, before);
        await untilDone(machine, records);
        checkDone(machine, records);
        assert.ok(machine.boots() <= uncut.boots() + 3, `${effect} ${before}: ${machine.boots()} boots`);
      }
  });
}

void test("once the unit is there, no power failure needs a person: it starts by itself until all runs are made", async () => {
  const uncut = fakeMachine({ kernels: KERNELS });
  await untilDone(uncut, []);
  const enabled = uncut.log.findIndex((line) => line.startsWith("systemctl enable")) + 1;
  const last = uncut.log.findLastIndex((line) => line === "run") + 1;
  assert.ok(enabled > 0 && last > enabled);
  for (let effect = enabled + 1; effect <= last; effect++) {
    const machine = fakeMachine({ kernels: KERNELS });
    machine.cutAt(effect, true);
    const records: RunRecord[] = [];
    await assert.rejects(async () => {
      for (;;) {
        await session(machine, records);
        machine.boot();
      }
    }, PowerLoss);
    assert.ok(machine.unitStarts(), `not after effect ${effect}: ${machine.log.at(-1)}`);
  }
});

void test("a kernel that does not come up is tried three times, said to be missing each time, then given up, and the unit goes", async () => {
  const machine = fakeMachine({ kernels: KERNELS });
  machine.dead.add(NEW);
  const records: RunRecord[] = [];
  await assert.rejects(
    untilDone(machine, records),
    (error) =>
      error instanceof UserError &&
      error.message ===
        'gave up on subject "new" after 3 boots for "/boot/vmlinuz-6.12": it came up with release "6.1" instead of "6.12"',
  );
  assert.ok(records.every(({ slot }) => slot.subject === "old"));
  assert.equal(says(machine).filter((words) => words.includes("vmlinuz-6.12 did not come up")).length, 3);
  assert.match(says(machine).at(-1) ?? "", /it failed: gave up on subject "new"/);
  assert.ok(!machine.unitStarts() && !machine.disk.has(UNIT_FILE));
  const boots = machine.boots();
  // A person who has mended the kernel runs the same command: it counts anew, and the runs that were made stay.
  machine.dead.clear();
  await untilDone(machine, records);
  checkDone(machine, records);
  assert.ok(machine.boots() > boots);
});

void test("a kernel that comes up and then dies in every run is given up, too", async () => {
  const machine = fakeMachine({ kernels: KERNELS });
  const records: RunRecord[] = [];
  let deaths = 0;
  const dies = () => {
    if (machine.running().release !== "6.12") return;
    deaths++;
    machine.cut();
  };
  let failure: unknown = null;
  for (let sessions = 0; failure === null && sessions < 40; sessions++) {
    try {
      await session(machine, records, { inRun: dies });
    } catch (thrown) {
      if (!(thrown instanceof PowerLoss)) failure = thrown;
    }
    machine.boot();
  }
  assert.equal(deaths, 3);
  assert.match(String(failure), /gave up on subject "new" after 3 boots .*: (?:none of its runs|it came up with)/);
});

void test("a kernel that dies now and then is not given up while runs are made", async () => {
  const machine = fakeMachine({ kernels: KERNELS });
  const records: RunRecord[] = [];
  const asked = fakeHeader({ ...header, rounds: 12, runsPerBoot: 6 });
  let runs = 0;
  const dies = () => {
    if (++runs % 3 === 0) machine.cut();
  };
  for (let sessions = 0; openSlots(schedule(asked), records).length > 0; sessions++) {
    assert.ok(sessions < 80);
    try {
      await session(machine, records, { asked, inRun: dies });
    } catch (thrown) {
      if (!(thrown instanceof PowerLoss)) throw thrown;
    }
    machine.boot();
  }
  assert.equal(records.length, 24);
});

/** In the first boot with a run in progress. */
const inFirstRun = async (reason: number) => {
  const machine = fakeMachine({ kernels: KERNELS });
  const records: RunRecord[] = [];
  await session(machine, records);
  machine.boot();
  const stop = new AbortController();
  const events = await session(machine, records, { signal: stop.signal, inRun: () => stop.abort(reason) });
  assert.equal(events.at(-1)?.kind, "interrupted");
  return { machine, records };
};

void test("a person who interrupts stops the experiment: the unit is taken away, and the same command goes on", async () => {
  const { machine, records } = await inFirstRun(EXIT.interrupted);
  assert.ok(!machine.disk.has(UNIT_FILE));
  assert.equal(says(machine).at(-1), "it was stopped");
  await untilDone(machine, records);
  checkDone(machine, records);
});

void test("a machine that goes down (SIGTERM) does not stop the experiment: the unit stays", async () => {
  const { machine, records } = await inFirstRun(EXIT.terminated);
  assert.ok(machine.unitStarts());
  machine.boot();
  await untilDone(machine, records);
  checkDone(machine, records);
});

void test("words for one subject's command line are in its boots alone, and are checked to have arrived", async () => {
  const machine = fakeMachine({ kernels: KERNELS });
  const asked = fakeHeader({
    ...header,
    subjects: [external("old", { place: at(OLD) }), external("new", { place: at(OLD, { append: "mitigations=off" }) })],
  });
  const records: RunRecord[] = [];
  const seen = new Map<string, Set<string>>();
  for (let sessions = 0; sessions < 20; sessions++) {
    const { commandLine } = machine.running();
    await session(machine, records, {
      asked,
      inRun: () => {
        const next = openSlots(schedule(asked), records).at(0)?.subject ?? "";
        seen.set(next, (seen.get(next) ?? new Set()).add(commandLine));
      },
    });
    if (!machine.isLeaving()) break;
    machine.boot();
  }
  assert.deepEqual([...(seen.get("old") ?? [])], ["root=/dev/sda1 quiet panic=60"]);
  assert.deepEqual([...(seen.get("new") ?? [])], ["root=/dev/sda1 quiet mitigations=off panic=60"]);
});

void test("another build under the same release is not what was asked for", async () => {
  const machine = fakeMachine({ kernels: KERNELS });
  await session(machine, []);
  machine.boot();
  const running = machine.running().kernel;
  machine.images.set(running, fakeKernel(KERNELS[running] ?? "", "#2 SMP test"));
  // What runs was started from the file before it was replaced.
  const before = { ...machine.system.files };
  const system = {
    ...machine.system,
    files: {
      ...before,
      readText: (path: string) => (path === "/proc/sys/kernel/version" ? "#1 SMP test\n" : before.readText(path)),
    },
  };
  await session({ ...machine, system }, []);
  assert.match(
    says(machine).join("\n"),
    /did not come up, but another build of "6\.\d+": "#1 SMP test" instead of "#2 SMP test"/,
  );
});

void test("a kernel that was replaced between two boots ends the experiment: runs of two kernels are not one subject's", async () => {
  const machine = fakeMachine({ kernels: KERNELS });
  const records: RunRecord[] = [];
  while (records.length < 4) {
    await session(machine, records);
    machine.boot();
  }
  for (const [path, release] of Object.entries(KERNELS)) machine.images.set(path, fakeKernel(release, "#2 SMP test"));
  await assert.rejects(untilDone(machine, records), /was changed in the course of the experiment: another build/);
  assert.ok(!machine.disk.has(UNIT_FILE));
});

void test("the unit of another experiment keeps this one from beginning, and stays", async () => {
  const machine = fakeMachine({ kernels: KERNELS });
  await session(machine, []);
  await assert.rejects(
    session(machine, [], { store: "/data/other.ndjson" }),
    /booting its way through another experiment: "\/data\/runs\.ndjson"/,
  );
  assert.ok(machine.unitStarts());
});

for (const [what, spec, message, remedy] of [
  ["a user who is not root", { uid: 1000 }, /only root may boot this machine/, /--plan/],
  [
    "a machine without kexec, GRUB and systemd-boot",
    { programs: ["systemctl"] },
    /kexec: there is no program kexec.*systemd-boot: there is no program bootctl; grub: there is no program grub-reboot/,
    /kexec-tools/,
  ],
  ["a machine without systemd", { programs: ["kexec"] }, /not started by systemd/, /leave out --reboot/],
  [
    "a kernel that GRUB has no entry for",
    { programs: ["grub-reboot", "systemctl"], files: { "/boot/grub/grub.cfg": grubMenu(["/boot/vmlinuz-5.10"]) } },
    /GRUB's menu has no entry for "\/boot\/vmlinuz-6.1": it is not installed/,
    /package/,
  ],
  [
    "a GRUB that cannot forget its choice",
    {
      programs: ["grub-reboot", "systemctl"],
      files: {
        "/boot/grub/grub.cfg": grubMenu([OLD]),
        "/proc/self/mountinfo": "22 1 0:1 / / rw - btrfs /dev/sda1 rw\n",
      },
    },
    /GRUB cannot write to btrfs, where \/boot\/grub is/,
    /kexec-tools/,
  ],
  [
    "a store that a boot would take away",
    {
      files: {
        "/proc/self/mountinfo": "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 22 0:25 / /data rw - tmpfs tmpfs rw\n",
      },
    },
    /"\/data" does not survive a boot: \/data is a tmpfs/,
    /\/var\/lib/,
  ],
  [
    "somebody else's unit of our name",
    { files: { [UNIT_FILE]: "[Unit]\n" } },
    /is there and is none of ours/,
    /systemctl disable/,
  ],
] as const)
  void test(`refused before anything is done: ${what}`, async () => {
    const machine = fakeMachine({ kernels: KERNELS, ...spec });
    await assert.rejects(
      session(machine, []),
      (error) => error instanceof UserError && message.test(error.message) && remedy.test(error.remedy ?? ""),
    );
    assert.deepEqual(machine.log, []);
  });

void test("a kernel that is gone or none is refused before anything is done", async () => {
  const machine = fakeMachine({ kernels: KERNELS });
  machine.images.delete(NEW);
  await assert.rejects(session(machine, []), /cannot read the kernel "\/boot\/vmlinuz-6.12": there is no such file/);
  machine.images.set(NEW, Buffer.from("!<arch>\ndebian-binary"));
  await assert.rejects(session(machine, []), /"\/boot\/vmlinuz-6.12" is not a kernel: it is a Debian package/);
  assert.deepEqual(machine.log, []);
});

void test("a kernel that disappears in the course of the experiment ends it, and no unit goes on starting it", async () => {
  const machine = fakeMachine({ kernels: KERNELS });
  const records: RunRecord[] = [];
  await session(machine, records);
  machine.boot();
  machine.images.delete(NEW);
  await assert.rejects(session(machine, records), /cannot read the kernel/);
  assert.ok(!machine.disk.has(UNIT_FILE));
});

void test("a plan does nothing, and shows the unit, the programs and the end", async () => {
  const machine = fakeMachine({ kernels: KERNELS, uid: 1000 });
  const placeOf = placesOn({
    system: machine.system,
    site: fakeLaboratory(),
    continuation: () => ({ command: ["/usr/bin/node", "/opt/bin.cjs", "ab"], folder: "/data", env: {} }),
  });
  const subject = external("new", { place: at(NEW) });
  const plan = await placeOf(at(NEW), { store: STORE }).plan(subject);
  assert.match(plan.refusal?.message ?? "", /only root/);
  assert.ok(plan.once.includes('  | ExecStart="/usr/bin/node" "/opt/bin.cjs" "ab"'));
  assert.ok(plan.each.some((line) => line.startsWith("kexec --kexec-syscall-auto --load /boot/vmlinuz-6.12")));
  assert.deepEqual(plan.end, [`rm ${UNIT_FILE}`, `rm ${UNIT_LINK}`, "systemctl daemon-reload"]);
  assert.deepEqual(machine.log, []);
});
