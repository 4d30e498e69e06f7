/**
 * Could a program be started? Looks where the start itself will look, before anything is run. Thin shell; no upstream
 * counterpart.
 */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../file-reason.js";

const refused = async (path: string): Promise<unknown> => {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isDirectory() ? Object.assign(new Error(path), { code: "EISDIR" }) : null;
  } catch (error) {
    return error;
  }
};

/**
 * What would keep a program from being started; null: nothing.
 *
 * @param program a path, or a name that is looked up along the PATH
 * @param env added to the environment of this process; its PATH goes first, as it does at the start
 */
export const startFault = async (program: string, env: Readonly<Record<string, string>>): Promise<unknown> => {
  if (program.includes("/")) return refused(program);
  let fault: unknown = Object.assign(new Error(program), { code: "ENOENT" });
  for (const folder of (env["PATH"] ?? process.env["PATH"] ?? "/usr/bin:/bin").split(":")) {
    const found = await refused(join(folder, program));
    if (found === null) return null;
    // As execvp: a file that may not be executed is remembered, while the search goes on.
    if (codeOf(found) === "EACCES") fault = found;
  }
  return fault;
};
