// The Node binaries that a script is to try, given as words or in NODES (separated by spaces, commas or colons).
import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname } from "node:path";

/** Each binary with its version and an environment in which it is `node`; ends the process at one that does not run. */
export const nodesAsked = (words) =>
  [...words, ...(process.env.NODES ?? "").split(/[\s,:]+/u)].filter(Boolean).map((word) => {
    const { status, stdout } = spawnSync(word, ["--version"], { encoding: "utf8" });
    if (status !== 0) {
      console.error(`cannot run "${word} --version": give the paths of Node binaries`);
      process.exit(1);
    }
    const path = realpathSync(word);
    return { path, version: stdout.trim(), env: { ...process.env, PATH: `${dirname(path)}:${process.env.PATH}` } };
  });
