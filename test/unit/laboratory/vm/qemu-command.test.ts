import assert from "node:assert/strict";
import { test } from "node:test";
import type { VmShape } from "../../../../src/experiment/whereabouts.js";
import { UserError } from "../../../../src/errors.js";
import { qemuCommand, topologyFits } from "../../../../src/laboratory/vm/qemu-command.js";
import { checkVm, type VmHost } from "../../../../src/laboratory/vm/vm-check.js";

const SHAPE: VmShape = {
  cpus: 4,
  memoryMib: 2048,
  sockets: null,
  cores: null,
  threads: null,
  nodes: 1,
  pin: null,
  append: "",
  files: [],
  emulate: false,
  bootLimitSec: 300,
};
const FILES = {
  kernel: "/k",
  initramfs: "/dev/stdin",
  consoleSocket: "/t,1/c",
  siteSocket: "/t/s",
  monitorSocket: "/t/m",
};

void test("the command line of a guest with KVM, word for word", () => {
  assert.equal(
    qemuCommand(SHAPE, FILES).join(" "),
    "qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot -S -machine q35 -accel kvm -cpu host " +
      "-smp 4 -m 2048M -kernel /k -initrd /dev/stdin " +
      "-append console=ttyS0,115200 earlyprintk=serial,ttyS0,115200 panic=-1 rdinit=/bin/schbench-ts-node " +
      "SCHBENCH_TS_UNPACKED=/schbench-ts -- /schbench-ts/dist/command/guest.cjs " +
      "-chardev socket,id=console,path=/t,,1/c,server=off -serial chardev:console " +
      "-chardev socket,id=site,path=/t/s,server=off -serial chardev:site " +
      "-chardev socket,id=monitor,path=/t/m,server=off -mon chardev=monitor,mode=control",
  );
});

void test("topology, nodes, emulation and kernel words are passed on", () => {
  const line = qemuCommand(
    {
      ...SHAPE,
      cpus: 8,
      memoryMib: 3001,
      sockets: 2,
      cores: 2,
      threads: 2,
      nodes: 2,
      append: "nohz=off",
      emulate: true,
    },
    FILES,
  ).join(" ");
  assert.match(
    line,
    /-accel tcg,thread=multi -cpu max,vendor=GenuineIntel -smp 8,sockets=2,cores=2,threads=2 -m 3001M /,
  );
  assert.match(line, /memory-backend-ram,id=memory0,size=1501M -numa node,nodeid=0,cpus=0-3,memdev=memory0 /);
  assert.match(line, /memory-backend-ram,id=memory1,size=1500M -numa node,nodeid=1,cpus=4-7,memdev=memory1 /);
  assert.match(line, / nohz=off -- \/schbench-ts/);
});

void test("a guest with threads on an AMD host is told of them", () => {
  assert.match(qemuCommand({ ...SHAPE, threads: 2 }, FILES).join(" "), /-cpu host,topoext=on -smp 4,threads=2 /);
  assert.match(qemuCommand({ ...SHAPE, threads: 1 }, FILES).join(" "), /-cpu host -smp 4,threads=1 /);
});

void test("what is given of a topology must make the number of CPUs", () => {
  assert.ok(topologyFits({ ...SHAPE, sockets: 2, cores: 2, threads: 1 }));
  assert.ok(topologyFits({ ...SHAPE, threads: 2 }));
  assert.ok(!topologyFits({ ...SHAPE, sockets: 2, cores: 1, threads: 1 }));
  assert.ok(!topologyFits({ ...SHAPE, cores: 3 }));
});

const KERNEL = Buffer.alloc(0x300);
KERNEL.write("HdrS", 0x202);
const HOST: VmHost = { hasQemu: true, kvmFault: null, cpus: 4, freeMemoryMib: 8192, head: () => KERNEL };
const missing = (): Buffer => {
  throw Object.assign(new Error("x"), { code: "ENOENT" });
};

const REFUSED: readonly (readonly [string, Partial<VmShape>, Partial<VmHost>, RegExp, RegExp])[] = [
  [
    "no QEMU",
    {},
    { hasQemu: false },
    /there is no qemu-system-x86_64/,
    /apt install qemu-system-x86 .*dnf install qemu-system-x86-core/,
  ],
  ["no kernel", {}, { head: missing }, /cannot read the kernel "k": there is no such file/, /another file/],
  ["no kernel in the file", {}, { head: () => Buffer.alloc(0x300) }, /"k" is not a kernel/, /bzImage/],
  [
    "no KVM",
    {},
    { kvmFault: "permission denied" },
    /with KVM: \/dev\/kvm: permission denied/,
    /--emulate.*times mean nothing/,
  ],
  ["too few CPUs", { cpus: 8 }, {}, /8 CPUs does not fit this machine: it has 4/, /cpus=4/],
  [
    "too little memory here",
    { memoryMib: 9000 },
    {},
    /9000 MiB does not fit this machine: it has 8192 MiB free/,
    /less/,
  ],
  ["too little memory there", { memoryMib: 256 }, {}, /256 MiB is too small/, /memory=1G/],
  ["a wrong topology", { cores: 3 }, {}, /do not make 4 CPUs/, /product/],
  ["more nodes than CPUs", { nodes: 5 }, {}, /divided among 5 NUMA nodes/, /^/],
  ["a pinning of another length", { pin: [1, 2] }, {}, /names 2 CPUs for 4/, /pinned to one/],
];

for (const [what, shape, host, message, remedy] of REFUSED)
  void test(`${what} is found before anything starts, with a remedy`, () => {
    assert.throws(
      () => checkVm("k", { ...SHAPE, ...shape }, { ...HOST, ...host }),
      (error) => error instanceof UserError && message.test(error.message) && remedy.test(error.remedy ?? ""),
    );
  });

void test("a guest that fits passes, and under emulation neither KVM nor the number of CPUs matters", () => {
  assert.equal(checkVm("k", SHAPE, HOST).kind, "bzImage");
  assert.equal(checkVm("k", { ...SHAPE, cpus: 16, emulate: true }, { ...HOST, kvmFault: "no" }).kind, "bzImage");
});
