/** The machine-code part of a validation: what the compilers made of the inner loop, build by build, in a sentence. */
import { readdir, readFile } from "node:fs/promises";
import { codegenVerdict } from "../../codegen/codegen-verdict.js";
import type { BuildFacts } from "../../codegen/build-facts.js";
import { ForeignMachineError, inspectBinary, inspectNative, inspectV8 } from "../../codegen/inspect.js";
import { messageOf, UserError } from "../../errors.js";
import type { CodeCheck } from "../../validate/validation.js";
import { PACKAGE_FILES } from "../../package-files.js";
import { runTool } from "./run-tool.js";

const WASM = "schbench.wasm";

const at = (file: string): string => `${PACKAGE_FILES.engineFolder}${file}`;

/**
 * One build; a listing that cannot be read or understood is not a pass. A library for another kind of machine, which no
 * objdump here reads, is left out: it does not run here either.
 */
const check = async (subject: string, inspect: () => Promise<BuildFacts>): Promise<readonly CodeCheck[]> => {
  try {
    const { ok, sentence } = codegenVerdict(await inspect());
    return [{ subject, ok, summary: sentence }];
  } catch (thrown) {
    if (thrown instanceof ForeignMachineError) return [];
    if (!(thrown instanceof UserError)) throw thrown;
    return [{ subject, ok: false, summary: messageOf(thrown) }];
  }
};

/** Looks at every built engine, at the module under the running Node, and at some reference binaries. */
export const checkCode = async (
  references: readonly { readonly name: string; readonly path: string }[],
): Promise<readonly CodeCheck[]> => {
  const files = await readdir(PACKAGE_FILES.engineFolder).catch(() => []);
  const { node } = PACKAGE_FILES;
  const inNode =
    node === null
      ? []
      : files
          .filter((file) => file === WASM)
          .map(
            (file) => () =>
              check(`V8 of Node ${process.versions.node}`, () => inspectV8(node, at(file), runTool, readFile)),
          );
  const checks = [
    ...files
      .filter((file) => file.endsWith(".so"))
      .toSorted()
      .map((file) => () => check(file, () => inspectNative(at(file), runTool))),
    ...inNode,
    ...references.map(
      ({ name, path }) =>
        () =>
          check(name, () => inspectBinary(name, path, runTool)),
    ),
  ];
  const results: CodeCheck[] = [];
  for (const look of checks) results.push(...(await look()));
  return results;
};
