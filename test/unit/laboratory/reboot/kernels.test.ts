import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { entryFor, grubEntries, loaderEntry } from "../../../../src/laboratory/reboot/boot-entries.js";
import { buildIdIn, buildIdOfElf } from "../../../../src/laboratory/reboot/elf-notes.js";
import { otherThan, readKernelFile, readRunningKernel } from "../../../../src/laboratory/reboot/kernels.js";
import { isForgotten, mountOf } from "../../../../src/laboratory/reboot/mounts.js";
import { commandLineFor } from "../../../../src/laboratory/reboot/ways.js";
import { fakeKernel, fakeMachine, fakeNotes, grubMenu } from "../../../helpers/fakes/fake-machine.js";

const ID = "0123456789abcdef0123456789abcdef01234567";
/** A note of another kind, as a kernel has them beside the one that is looked for. */
const OTHER_NOTE = Buffer.from("0600000001000000000100004c696e7578000000aa000000", "hex");

void test("the build id is found among other notes, and a note that is cut off is none", () => {
  assert.equal(buildIdIn(Buffer.concat([OTHER_NOTE, fakeNotes(ID)])), ID);
  assert.equal(buildIdIn(OTHER_NOTE), null);
  assert.equal(buildIdIn(fakeNotes(ID).subarray(0, 30)), null);
  assert.equal(buildIdIn(Buffer.alloc(0)), null);
});

/** An ELF file with one segment of notes, and an object with an id of its own before it, as the vDSO is in a kernel. */
const elfWith = (notes: Buffer): Buffer => {
  const head = Buffer.alloc(64 + 56);
  head.write("\x7fELF", 0, "latin1");
  head[4] = 2;
  head.writeBigUInt64LE(64n, 32);
  head.writeUInt16LE(56, 54);
  head.writeUInt16LE(1, 56);
  const before = fakeNotes("ff".repeat(20));
  head.writeUInt32LE(4, 64);
  head.writeBigUInt64LE(BigInt(head.length + before.length), 64 + 8);
  head.writeBigUInt64LE(BigInt(notes.length), 64 + 32);
  return Buffer.concat([head, before, notes]);
};

void test("of an ELF file the notes of its segments count, not what lies in it", () => {
  assert.equal(buildIdOfElf(elfWith(fakeNotes(ID))), ID);
  assert.equal(buildIdOfElf(Buffer.from("no ELF file")), null);
});

void test("a bzImage is unpacked for the build id that its kernel will show", async () => {
  const payload = gzipSync(elfWith(fakeNotes(ID)));
  const head = fakeKernel("6.1");
  head[0x1f1] = 3;
  head.writeUInt32LE(head.length - 4 * 512, 0x248);
  head.writeUInt32LE(payload.length, 0x24c);
  const machine = fakeMachine({ kernels: { "/boot/vmlinuz-6.1": "6.1" }, files: { "/boot/initrd.img-6.1": "" } });
  machine.images.set("/boot/vmlinuz-6.1", Buffer.concat([head, payload]));
  assert.deepEqual(await readKernelFile("/boot/vmlinuz-6.1", null, machine.system), {
    path: "/boot/vmlinuz-6.1",
    release: "6.1",
    build: "#1 SMP test",
    buildId: ID,
    initrd: "/boot/initrd.img-6.1",
  });
});

void test("kernels differ by release, build or build id, whichever is known of both", () => {
  const kernel = { release: "6.1", build: "#1", buildId: ID };
  assert.equal(otherThan(kernel, kernel), null);
  assert.equal(otherThan({ ...kernel, buildId: null, build: null }, kernel), null);
  assert.match(otherThan(kernel, { ...kernel, release: "6.2" }) ?? "", /release "6\.2" instead of "6\.1"/);
  assert.match(otherThan(kernel, { ...kernel, build: "#2" }) ?? "", /another build/);
  assert.match(otherThan(kernel, { ...kernel, buildId: "00" }) ?? "", /build id 00 instead of/);
});

void test("the running kernel is read from where it tells", () => {
  const machine = fakeMachine({ kernels: { "/boot/vmlinuz-6.1": "6.1" } });
  const running = readRunningKernel(machine.system);
  assert.deepEqual(
    { release: running.release, build: running.build, bootId: running.bootId },
    { release: "6.1", build: "#1 SMP test", bootId: "boot-1" },
  );
  assert.equal(running.buildId?.length, 40);
});

void test("GRUB's entry of a kernel is named through its submenus, and the one for repair is not taken", () => {
  const entries = grubEntries(grubMenu(["/boot/vmlinuz-6.1", "/vmlinuz-6.12"]));
  assert.equal(entryFor(entries, "/boot/vmlinuz-6.1", "6.1")?.id, "advanced>/boot/vmlinuz-6.1-advanced");
  // A /boot of its own: GRUB's paths begin there.
  assert.equal(entryFor(entries, "/boot/vmlinuz-6.12", "6.12")?.id, "advanced>/vmlinuz-6.12-advanced");
  assert.equal(entryFor(entries, "/boot/vmlinuz-5.10", "5.10"), undefined);
});

void test("an entry without an id is called by its title", () => {
  const [entry] = grubEntries("menuentry 'Fedora, 6.1' --class fedora {\n linuxefi /vmlinuz-6.1 ro\n}\n");
  assert.deepEqual(entry, { id: "Fedora, 6.1", linux: "/vmlinuz-6.1", options: "ro" });
});

void test("an entry of systemd-boot whose image is called linux is told by its folder", () => {
  const entry = loaderEntry("abc-6.1.conf", "title x\nlinux /abc/6.1/linux\noptions root=/dev/sda1 quiet\n");
  assert.ok(entry !== null);
  assert.equal(entryFor([entry], "/boot/vmlinuz-6.1", "6.1"), entry);
  assert.equal(entryFor([entry], "/efi/abc/6.2/linux", "6.2"), undefined);
  assert.equal(loaderEntry("windows.conf", "title Windows\nefi /x.efi\n"), null);
});

void test("the file system of a path is the innermost that was mounted last", () => {
  const table = [
    "22 1 8:1 / / rw - ext4 /dev/sda1 rw",
    "30 22 0:25 / /tmp rw - tmpfs tmpfs rw",
    "31 22 8:2 / /var/my\\040data rw shared:3 - xfs /dev/mapper/vg-data rw",
  ].join("\n");
  assert.equal(mountOf(table, "/home/x")?.type, "ext4");
  assert.equal(mountOf(table, "/tmp/x")?.type, "tmpfs");
  assert.equal(mountOf(table, "/tmpfile")?.type, "ext4");
  assert.equal(mountOf(table, "/var/my data/runs")?.source, "/dev/mapper/vg-data");
  assert.equal(mountOf("", "/"), null);
  assert.ok(isForgotten({ folder: "/tmp", type: "tmpfs", source: "tmpfs" }));
});

void test("a kernel gets the usual command line, its own words and an end to panics, unless there is one", () => {
  assert.equal(commandLineFor("BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro", "nosmt"), "root=/dev/sda1 ro nosmt panic=60");
  assert.equal(commandLineFor("panic=5 ro", ""), "panic=5 ro");
});
