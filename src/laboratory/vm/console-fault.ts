/** What a guest's console says about why it is not there: the kernel's own words, and what they mean. Pure. */

/** Words of the kernel or of QEMU that name what is missing; the first that is found explains the most. */
const MEANINGS: readonly { readonly words: RegExp; readonly means: string }[] = [
  {
    words: /VFS: Unable to mount root fs|Cannot open root device|No filesystem could mount root/u,
    means: "the kernel did not take the initramfs: it needs CONFIG_BLK_DEV_INITRD=y and CONFIG_BINFMT_ELF=y",
  },
  {
    words:
      /Initramfs unpacking failed: (?:write error|no space)|System is deadlocked on memory|Out of memory|invalid magic at start of compressed archive/u,
    means: "the guest has too little memory: give it more with --vm memory=4G",
  },
  {
    words: /(?:Failed to execute|Run) \/bin\/schbench-ts-node.*\(error -8\)|Exec format error/u,
    means: "the kernel cannot run 64-bit programs: it needs CONFIG_64BIT=y and CONFIG_BINFMT_ELF=y",
  },
  {
    words: /No working init found|Failed to execute \/bin\/schbench-ts-node/u,
    means: "the guest's first program could not be started: a library that it needs is missing in the guest",
  },
  {
    words: /without PVH ELF Note/u,
    means:
      "QEMU starts an uncompressed kernel by its PVH note only: give arch/x86/boot/bzImage, or build with CONFIG_PVH=y",
  },
  {
    words: /trap invalid opcode|Illegal instruction|exitcode=0x00000084/u,
    means: "a program used an instruction that the guest's CPU does not have",
  },
];

const PANIC = /Kernel panic - not syncing: (.*?)\s*$/mu;
const BUG = /(?:BUG: .*|Oops: .*|watchdog: BUG: soft lockup.*)$/mu;

/** What a console shows, as a clause, and what it means where that is known. */
export interface ConsoleFault {
  /** Such as `its kernel panicked: sysrq triggered crash`; null: the console shows no fault. */
  readonly what: string | null;
  readonly means: string | null;
}

/** Control sequences say nothing. */
const ESCAPE = String.fromCodePoint(0x1b);
const CONTROL = new RegExp(`${ESCAPE}(?:\\[[\\d;?]*[A-Za-z]|c)|\\r`, "gu");
const plain = (text: string): string => text.replaceAll(CONTROL, "");

/** Reads the text of a console. */
export const consoleFault = (text: string): ConsoleFault => {
  const clean = plain(text);
  const panic = PANIC.exec(clean)?.[1];
  const bug = BUG.exec(clean)?.[0];
  const what =
    panic === undefined ? (bug === undefined ? null : `its kernel said "${bug}"`) : `its kernel panicked: ${panic}`;
  return { what, means: MEANINGS.find(({ words }) => words.test(clean))?.means ?? null };
};

/** The last lines of a console for a message: from the first sign of a fault, else the very last. */
export const consoleTail = (text: string, lines: number): string => {
  const all = plain(text).trimEnd().split("\n");
  const first = all.findIndex((line) => PANIC.test(line) || BUG.test(line));
  const start = first < 0 ? all.length - lines : Math.max(0, Math.min(first - 2, all.length - lines));
  return all.slice(Math.max(0, start), Math.max(0, start) + lines).join("\n");
};
