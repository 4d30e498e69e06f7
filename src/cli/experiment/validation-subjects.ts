/** Who is validated, and against whom, as the command line says it. */
import { UsageError } from "../../errors.js";
import { plainSubject, type Subject } from "../../experiment/subject.js";
import { readSubject } from "../options/subject-options.js";

/** Name of our engine where none is given. */
const OURS = "schbench-ts";

const EXAMPLE = "schbench-ts validate --reference gcc=./schbench-gcc --reference clang=./schbench-clang";

/** The references of `--reference`; throws UsageError. */
export const readReferences = (texts: readonly string[]): readonly Subject[] => {
  if (texts.length === 0)
    throw new UsageError(
      "there is nothing to validate against: --reference NAME=COMMAND is missing",
      `Build schbench with two compilers and give both, because the distance between them is the yardstick: ${EXAMPLE}`,
    );
  const references = texts.map((text) => readSubject(text, "--reference"));
  const own = references.find((reference) => reference.launch.kind === "engine");
  if (own !== undefined)
    throw new UsageError(`reference "${own.name}" has no command: allowed is NAME=COMMAND`, `For example: ${EXAMPLE}`);
  return references;
};

/** Our builds of `--ours`; throws UsageError. */
export const readOurs = (texts: readonly string[]): readonly Subject[] => {
  const names = texts.length === 0 ? [OURS] : texts;
  return names.map((name) => {
    if (name.includes("="))
      throw new UsageError(
        `invalid value "${name}" for --ours: allowed is a NAME`,
        "Say how this build differs with --flags NAME=…, --env NAME=… or --node NAME=….",
      );
    return name === OURS ? plainSubject(OURS, { kind: "engine", node: null }) : readSubject(name, "--ours");
  });
};
