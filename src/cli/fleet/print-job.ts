/** `--print-job kubernetes`: the manifest that runs the experiment on nodes of a cluster; `kubectl apply` does the rest. */
import { UsageError } from "../../errors.js";
import { jobManifest } from "../../fleet/kubernetes/job-manifest.js";
import type { OptionTable } from "../../options/line/option-table.js";
import { experimentName } from "../experiment/conduct-experiment.js";
import { type FleetLine, type PlanOn, readProgram, refuseWith, wordsFor } from "./fleet-line.js";
import { anyMachine, refuseDefaultThreads } from "./threads-here.js";

const EXAMPLE =
  "For example: schbench-ts ab --print-job kubernetes --image REGISTRY/schbench-ts --nodes 20 --subject a --subject b -- -m 2 -t 16";
/** As Kubernetes has names of labels and their values. */
const LABEL = /^((?:[a-z0-9.-]+\/)?[A-Za-z0-9][\w.-]*)=([A-Za-z0-9][\w.-]*)?$/;
const CLAIM = /^[a-z0-9][a-z0-9.-]*$/;
/** Scheduling attributes that a container is refused without it. */
const NICE = "SYS_NICE";

/** Options that say something about a job that is printed. */
const ABOUT_JOBS = {
  image: "--image",
  claim: "--claim",
  nodeLabels: "--node-label",
  podCpus: "--pod-cpus",
  privileged: "--privileged",
} as const;

/** Refuses what is about a job where none is printed; throws UsageError. */
export const refuseJobOptions = ({ options }: FleetLine): void => {
  const useless = [
    ["image", options.image !== null],
    ["claim", options.claim !== null],
    ["nodeLabels", options.nodeLabels.length > 0],
    ["podCpus", options.podCpus !== null],
    ["privileged", options.privileged],
  ] as const satisfies readonly (readonly [keyof typeof ABOUT_JOBS, boolean])[];
  const [found] = useless.find(([, isGiven]) => isGiven) ?? [];
  if (found !== undefined && options.printJob === null)
    throw new UsageError(
      `${ABOUT_JOBS[found]} is about a job that is printed: give --print-job kubernetes, too`,
      EXAMPLE,
    );
};

const readLabel = (text: string): readonly [string, string] => {
  const [, key, value = ""] = LABEL.exec(text) ?? [];
  if (key === undefined)
    throw new UsageError(
      `invalid value "${text}" for --node-label: allowed is KEY=VALUE`,
      "For example: --node-label node.kubernetes.io/instance-type=m7i.metal",
    );
  return [key, value];
};

/** Whether a machine that grants no scheduling attributes would refuse the runs. */
const asksForAttributes = (planOn: PlanOn): boolean => {
  let isAsked = false;
  planOn({
    ...anyMachine(2),
    schedRefusalOf: () => {
      isAsked = true;
      return null;
    },
  });
  return isAsked;
};

/** How the runs are had when the job is over. */
const howToRead = (name: string, claim: string | null): string =>
  claim === null
    ? `kubectl wait --for=condition=complete --timeout=-1s job/${name}, then keep the lines that begin with {"format" of each pod's log`
    : `the runs of each node are in NODE.ndjson on the volume of ${claim}`;

/**
 * The manifest, in YAML.
 *
 * @throws UsageError
 */
export const printedJob = async (
  line: FleetLine,
  table: OptionTable,
  planOn: PlanOn,
  nowMsec: number,
): Promise<string> => {
  refuseWith(line);
  const { options } = line;
  const { image, nodes, claim } = options;
  if (options.on.length > 0)
    throw new UsageError("cannot combine --print-job with --on: a job that is printed runs where Kubernetes puts it");
  if (options.store !== null)
    throw new UsageError(
      "cannot keep the runs of a job that is printed in a file here: leave out -o",
      "They are in the log of each pod, or in the volume that --claim names.",
    );
  if (image === null) throw new UsageError("--print-job kubernetes needs --image: which one has schbench-ts?", EXAMPLE);
  if (nodes === null) throw new UsageError("--print-job kubernetes needs --nodes: on how many?", EXAMPLE);
  if (claim !== null && !CLAIM.test(claim))
    throw new UsageError(
      `invalid value "${claim}" for --claim: allowed is the name of a PersistentVolumeClaim: letters a-z, digits, - and .`,
    );
  const program = readProgram(options.onCommand);
  refuseDefaultThreads(planOn);
  const manifest = jobManifest({
    name: experimentName({ kind: line.command, startedAt: new Date(nowMsec).toISOString() }),
    image,
    nodes,
    nodeSelector: Object.fromEntries(options.nodeLabels.map(readLabel)),
    claim,
    cpus: options.podCpus,
    privileged: options.privileged,
    capabilities: asksForAttributes(planOn) ? [NICE] : [],
    program,
    words: wordsFor(line, table, options.seed),
  });
  // Wanted here only, and larger than the command's own start.
  const { stringify } = await import("yaml");
  const { name } = manifest.metadata;
  return `# Start it with kubectl apply -f FILE; ${howToRead(name, claim)}.\n${stringify(manifest, { aliasDuplicateObjects: false, lineWidth: 0 })}`;
};
