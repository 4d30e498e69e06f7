/** Chooses who runs the threads: the native host when it loads, else Node worker threads, and says so. */
import { EngineError } from "../../errors.js";
import type { EngineChoice } from "../../model/plan/run-plan.js";
import type { Warning } from "../../model/result/run-result.js";
import { nativeRemedy } from "../../platform/rebuilding.js";
import type { EngineHost } from "./host.js";
import { findNativeHost } from "./native-host.js";
import type { SharedMemory } from "../memory/shared-memory.js";

/** A host, and the doubt that comes with it if it is not the one a user would expect. */
export interface OpenedHost {
  readonly host: EngineHost;
  readonly warnings: readonly Warning[];
}

/**
 * Opens the host that was asked for; `auto` falls back to v8 with a warning.
 *
 * @throws EngineError when `native` was asked for and does not load
 */
export const openHost = async (
  choice: EngineChoice,
  moduleBytes: Uint8Array,
  memory: SharedMemory,
): Promise<OpenedHost> => {
  const native = choice === "v8" ? null : findNativeHost(memory);
  if (native !== null && "kind" in native) return { host: native, warnings: [] };
  if (choice === "native")
    throw new EngineError(
      `cannot use --engine "native": ${native?.reason ?? ""}`,
      "Use --engine v8, which needs no library.",
    );
  const { openV8Host } = await import("./v8-host.js");
  const host = openV8Host(moduleBytes, memory);
  if (native === null) return { host, warnings: [] };
  return {
    host,
    warnings: [
      {
        code: "v8-engine",
        message: `threads ran on the v8 engine, whose wakeups are slower: the native engine was not used, ${native.reason}`,
        cure: nativeRemedy(),
      },
    ],
  };
};
