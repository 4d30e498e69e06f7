/** `schbench-ts doctor`: whether this machine is fit for measuring. Exit code 0 when nothing is bad, 1 otherwise. */
import { setTimeout as sleep } from "node:timers/promises";
import { diagnose, isFit } from "../../doctor/diagnose.js";
import { doctorJson, doctorText } from "../../doctor/doctor-report.js";
import type { NativeEngine, TracingReadiness } from "../../doctor/facts.js";
import { type Surroundings, readDoctorFacts } from "../../doctor/read-facts.js";
import { describeNativeBuild, nativeBuilds, whyNoNativeBuild } from "../../engine/host/native-host.js";
import { EXIT, messageOf } from "../../errors.js";
import { explainReadiness } from "../../explain/trace/tracefs.js";
import { nodeTracefs } from "../../explain/trace/tracefs-node.js";
import { parseCommandLine } from "../../options/line/command-line.js";
import type { OptionTable } from "../../options/line/option-table.js";
import { homeKind } from "../../package-files.js";
import { hostFiles } from "../../platform/files.js";
import { hasWebAssembly } from "../../platform/web-assembly.js";
import { NSEC_PER_SEC, USEC_PER_SEC } from "../../units.js";
import type { Command, Io } from "../io/command.js";

/** Options of `doctor`. */
export const doctorOptions = [
  {
    id: "format",
    kind: "choice",
    long: ["format"],
    group: "Output",
    meaning: "output format",
    choices: ["text", "json"],
    default: "text",
  },
] as const satisfies OptionTable;

const MAX_COLUMNS = 110;

/** The machine that the doctor looks at, given the streams of the invocation; a test hands in another. */
type SurroundingsOf = (io: Io) => Surroundings;

const tracingReadiness = (): TracingReadiness => {
  const { ready, missing } = explainReadiness(nodeTracefs());
  const [first] = missing;
  if (ready || first === undefined) return { ready: true };
  return { ready: false, missing: first.what, remedy: first.remedy };
};

/** Loads the build that a run would choose: a file that is there may still not load. */
const nativeEngine = (): NativeEngine => {
  const home = homeKind();
  const [best] = nativeBuilds();
  if (best === undefined) return { build: null, reason: whyNoNativeBuild(), home };
  try {
    return { build: describeNativeBuild(best), reason: null };
  } catch (thrown) {
    return { build: null, reason: `"${best.path}" does not load (${messageOf(thrown)})`, home };
  }
};

const thisMachine: SurroundingsOf = (io) => ({
  files: hostFiles,
  sleep: (milliseconds) => sleep(milliseconds, undefined, { signal: io.interrupted }),
  nowSec: () => {
    const [sec, nsec] = process.hrtime();
    return sec + nsec / NSEC_PER_SEC;
  },
  ownCpuSec: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / USEC_PER_SEC;
  },
  versions: process.versions,
  arch: process.arch,
  pid: process.pid,
  searchPath: io.env["PATH"] ?? "",
  webAssembly: hasWebAssembly(),
  nativeEngine,
  tracing: tracingReadiness,
});

/** The command on a given machine. */
export const doctorCommandIn = (surroundingsOf: SurroundingsOf): Command => ({
  name: "doctor",
  summary: "check whether this machine is fit for measuring, and say what to fix",
  run: async (argv, io) => {
    const { options } = parseCommandLine(argv, doctorOptions);
    const facts = await readDoctorFacts(surroundingsOf(io));
    const findings = diagnose(facts);
    const noColour = io.env["NO_COLOR"] ?? "";
    io.stdout.write(
      options.format === "json"
        ? doctorJson(facts.host, findings)
        : doctorText(facts.host, findings, {
            colour: io.stdout.isTerminal && noColour === "",
            columns: Math.min(io.stdout.columns ?? MAX_COLUMNS, MAX_COLUMNS),
          }),
    );
    return isFit(findings) ? EXIT.ok : EXIT.failure;
  },
});

/** `schbench-ts doctor` as installed. */
export const doctorCommand: Command = doctorCommandIn(thisMachine);
