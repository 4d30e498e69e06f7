/** The version of this package, and what `--version` says. */
import { readFileSync } from "node:fs";

/** Version of this package, from its package.json. */
export const packageVersion = (): string => {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  const manifest: unknown = JSON.parse(text);
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown";
};

/** What `--version` prints. */
export const versionText = (): string =>
  `schbench-ts ${packageVersion()}\nnode ${process.versions.node}, V8 ${process.versions.v8}, ${process.platform} ${process.arch}\n`;
