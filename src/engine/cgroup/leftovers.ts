/** Puts away the groups of runs that were killed: their names say whose they were and what was turned on for them. */
import { CGROUP_ROLES } from "../../model/plan/cgroup-roles.js";
import type { GroupFiles } from "./group-files.js";
import { disable } from "./group-home.js";
import { type Controller, groupOwner, startOf } from "./group-name.js";

const remove = (files: GroupFiles, folder: string): boolean => {
  try {
    files.removeFolder(folder);
    return true;
  } catch {
    // Somebody is still in it: another run finds it.
    return false;
  }
};

/** Removes what dead runs have left in these groups. Never throws. */
export const clearLeftovers = (files: GroupFiles, folders: readonly string[]): void => {
  for (const folder of new Set(folders)) {
    const enabled: Controller[] = [];
    for (const name of files.list(folder)) {
      const owner = groupOwner(name);
      if (owner === null || startOf(files.readText(`/proc/${owner.pid}/stat`)) === owner.start) continue;
      for (const role of CGROUP_ROLES) remove(files, `${folder}/${name}/${role}`);
      if (remove(files, `${folder}/${name}`)) enabled.push(...owner.enabled);
    }
    disable(files, folder, [...new Set(enabled)]);
  }
};
