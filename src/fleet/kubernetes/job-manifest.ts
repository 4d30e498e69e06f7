/**
 * The manifest of a fleet under Kubernetes: an Indexed Job, each of whose pods has a node to itself and runs the whole experiment. Its runs
 * go to a volume that all pods share, where a pod that is started again goes on with the file of its node; or to the pod's log,
 * as the lines of an experiment's file. Pure.
 */
import { plainWord } from "../plain-words.js";

/** What a manifest is made from. */
export interface ManifestPlan {
  /** Of the job; a DNS label. */
  readonly name: string;
  readonly image: string;
  /** Pods, each on a node of its own. */
  readonly nodes: number;
  /** Labels that a node must have. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Name of a claim on a volume that all pods may write; null: the runs go to the pods' logs. */
  readonly claim: string | null;
  /** Whole CPUs that a pod has for itself; null: all of its node, shared with what else runs there. */
  readonly cpus: number | null;
  /** For what a set-up does to the node's kernel. */
  readonly privileged: boolean;
  /** Capabilities that the runs need. */
  readonly capabilities: readonly string[];
  /** Our command in the image; plain words. */
  readonly program: readonly string[];
  /** The experiment's command line, from `ab` on. */
  readonly words: readonly string[];
}

/** Where a pod sees the shared volume. */
const FOLDER = "/runs";
/** In place of a folder, the pod's log; in place of a file in it, none. */
const NONE = "-";
/** A pod that is lost or fails for reasons of its own is started again so often. */
const RETRIES = 3;
/** Time for tear-downs after SIGTERM. */
const GRACE_SEC = 60;
/** Another start would end in the same way: a usage, a subject that cannot be run, a run that failed. */
const EXIT_FAILURE = 1;
const MEMORY = "1Gi";

/**
 * A limit on CPU time would stop benchmark threads by quota, so there is none, unless the pod's CPUs are asked for: whole ones with equal
 * limits are the pod's own where the kubelet's CPU manager is static.
 */
const resourcesOf = (cpus: number | null) => ({
  requests: { cpu: cpus === null ? "1" : String(cpus), memory: MEMORY },
  limits: { ...(cpus === null ? {} : { cpu: String(cpus) }), memory: MEMORY },
});

const securityOf = ({ privileged, capabilities }: Pick<ManifestPlan, "privileged" | "capabilities">) =>
  privileged
    ? { privileged: true }
    : {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"], ...(capabilities.length === 0 ? {} : { add: [...capabilities] }) },
      };

/** The manifest, as Kubernetes' API has it. */
export const jobManifest = (plan: ManifestPlan) => {
  const { name, image, nodes, nodeSelector, claim, cpus, program, words } = plan;
  const labels = { "app.kubernetes.io/name": "schbench-ts", "app.kubernetes.io/instance": name };
  const container = {
    name: "schbench-ts",
    image,
    command: [...program],
    args: ["on", "keep", claim === null ? NONE : FOLDER, NONE, ...words.map(plainWord)],
    env: [{ name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
    resources: resourcesOf(cpus),
    securityContext: securityOf(plan),
    ...(claim === null ? {} : { volumeMounts: [{ name: "runs", mountPath: FOLDER }] }),
  };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, labels },
    spec: {
      completionMode: "Indexed" as const,
      completions: nodes,
      parallelism: nodes,
      backoffLimitPerIndex: RETRIES,
      // One node that cannot run it ends no other's experiment.
      maxFailedIndexes: nodes,
      podFailurePolicy: {
        rules: [
          { action: "Ignore" as const, onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
          {
            action: "FailIndex" as const,
            onExitCodes: { containerName: container.name, operator: "In" as const, values: [EXIT_FAILURE] },
          },
        ],
      },
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: "Never" as const,
          terminationGracePeriodSeconds: GRACE_SEC,
          automountServiceAccountToken: false,
          ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector: { ...nodeSelector } }),
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                {
                  // With pods of other experiments of ours, too: they would disturb each other.
                  labelSelector: { matchLabels: { "app.kubernetes.io/name": labels["app.kubernetes.io/name"] } },
                  topologyKey: "kubernetes.io/hostname",
                },
              ],
            },
          },
          containers: [container],
          ...(claim === null ? {} : { volumes: [{ name: "runs", persistentVolumeClaim: { claimName: claim } }] }),
        },
      },
    },
  };
};
