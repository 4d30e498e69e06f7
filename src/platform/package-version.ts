/** The version of this package. */
import { readFileSync } from "node:fs";

/** Version of this package, from its package.json. */
export const packageVersion = (): string => {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  const manifest: unknown = JSON.parse(text);
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown";
};
