/** A program that starts another one for which a system call fails with a chosen errno, as on another kernel or in a sandbox. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOURCE = `
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  unsigned code = (unsigned)atoi(argv[1]);
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_setattr, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code & SECCOMP_RET_DATA)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (argc < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 99;
  execv(argv[2], argv + 2);
  return 99;
}
`;

const COMPILER = process.env["CC"] ?? "gcc";

/** The words before a command for which sched_setattr fails so; null where there is no gcc, or no seccomp. */
export const refusingSetattr = (): ((errno: number) => readonly string[]) | null => {
  const folder = mkdtempSync(join(tmpdir(), "schbench-ts-refuse-"));
  const program = join(folder, "refuse");
  writeFileSync(`${program}.c`, SOURCE);
  if (spawnSync(COMPILER, ["-o", program, `${program}.c`]).status !== 0) return null;
  return spawnSync(program, ["38", "/bin/true"]).status === 0 ? (errno) => [program, String(errno)] : null;
};
