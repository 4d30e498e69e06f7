/** The version of this package. */
import { readFileSync } from "node:fs";
import { PACKAGE_FILES } from "../package-files.js";

/** Version of this package, from its package.json. */
export const packageVersion = (): string => {
  const text = readFileSync(PACKAGE_FILES.manifest, "utf8");
  const manifest: unknown = JSON.parse(text);
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown";
};
