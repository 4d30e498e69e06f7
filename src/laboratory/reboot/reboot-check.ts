/** What would keep a machine from booting its way through an experiment, found before anything is done to it. */
import { dirname, resolve } from "node:path";
import { UserError } from "../../errors.js";
import { isForgotten, mountOf } from "./mounts.js";
import { type Continuation, storeOfUnit, UNIT_FILE, UNIT_NAME } from "./unit.js";
import type { RebootSystem } from "./system.js";

const checkSystemd = (system: RebootSystem): void => {
  if (!system.files.exists("/run/systemd/system") || system.findProgram("systemctl") === null)
    throw new UserError(
      "cannot go on after a boot: this machine was not started by systemd, one of whose units would do that",
      "Boot the kernels in virtual machines instead: leave out --reboot.",
    );
};

const checkUnit = (store: string, system: RebootSystem): void => {
  const text = system.files.readText(UNIT_FILE);
  const other = text === null ? store : storeOfUnit(text);
  if (other === null)
    throw new UserError(
      `"${UNIT_FILE}" is there and is none of ours`,
      `Remove it: systemctl disable --now ${UNIT_NAME}`,
    );
  if (other !== store)
    throw new UserError(
      `this machine is booting its way through another experiment: "${other}"`,
      `Let it end (schbench-ts ab --status ${other}), or stop it: systemctl disable --now ${UNIT_NAME}; rm ${UNIT_FILE}`,
    );
};

/** What a boot must not take away: the store, the command, its folder. */
const checkSurvival = (
  store: string,
  kernel: string,
  { command, folder }: Continuation,
  system: RebootSystem,
): void => {
  const script = command.at(1);
  const table = system.files.readText("/proc/self/mountinfo") ?? "";
  const needed = [
    ["the runs", dirname(store)],
    ["the kernel", kernel],
    ["this command", resolve(folder, command.at(0) ?? "")],
    ...(script?.startsWith("/") === true ? [["this command", script] as const] : []),
    ["the working directory", folder],
  ] as const;
  for (const [what, path] of needed) {
    const mount = mountOf(table, path);
    if (mount !== null && isForgotten(mount))
      throw new UserError(
        `"${path}" does not survive a boot: ${mount.folder} is a ${mount.type}, and ${what} would be gone`,
        "Use a folder on a disk, such as /var/lib.",
      );
  }
};

const checkRoot = ({ uid }: RebootSystem): void => {
  if (uid !== 0)
    throw new UserError(
      "only root may boot this machine",
      "Run the command with sudo; --plan shows all that it would do.",
    );
};

/** Everything but the kernel, which is the subject's. */
export const checkMachine = (
  { store, kernel }: { readonly store: string; readonly kernel: string },
  continuation: Continuation,
  system: RebootSystem,
): void => {
  checkSystemd(system);
  checkUnit(store, system);
  checkSurvival(store, kernel, continuation, system);
  // Last: whoever only plans need not be root.
  checkRoot(system);
};
