import assert from "node:assert/strict";
import { test } from "node:test";
import type { IJob } from "kubernetes-models/batch/v1/Job";
import { Job } from "kubernetes-models/batch/v1/Job";
import { jobManifest, type ManifestPlan } from "../../../../src/fleet/kubernetes/job-manifest.js";

const PLAN: ManifestPlan = {
  name: "schbench-ab-20261203-120000",
  image: "registry.example/schbench-ts:0.1.0",
  nodes: 3,
  nodeSelector: {},
  claim: null,
  cpus: null,
  privileged: false,
  capabilities: [],
  program: ["schbench-ts"],
  words: ["ab", "--flags=b=-n 6", "--setup=b=echo $(HOME)", "--", "-t", "4"],
};
const FULL: ManifestPlan = {
  ...PLAN,
  nodeSelector: { "node.kubernetes.io/instance-type": "metal" },
  claim: "bench-runs",
  cpus: 8,
  capabilities: ["SYS_NICE"],
};

/** The keys of a type, at any depth, that another type does not have there; never: none. */
type Foreign<T, Known> = T extends readonly (infer Item)[]
  ? Known extends readonly (infer KnownItem)[]
    ? Foreign<Item, KnownItem>
    : never
  : T extends object
    ? {
        [Key in keyof T]-?: Key extends keyof Known ? Foreign<NonNullable<T[Key]>, NonNullable<Known[Key]>> : Key;
      }[keyof T]
    : never;

// Kubernetes ignores a key that it does not know, and so does its schema: the compiler does not.
const foreign: readonly Foreign<ReturnType<typeof jobManifest>, IJob>[] = [];
foreign satisfies readonly never[];

void test("the job is one by Kubernetes' published schema, whatever is asked of it", () => {
  for (const plan of [PLAN, FULL, { ...PLAN, privileged: true }]) {
    new Job(jobManifest(plan)).validate();
    assert.deepEqual(Job.is(jobManifest(plan)), true);
  }
  // The schema notices what is wrong.
  const { spec, ...rest } = jobManifest(PLAN);
  assert.throws(() => new Job({ ...rest, spec: { ...spec, completions: 1.5 } }).validate(), /completions/);
});

void test("each index is a pod with a node to itself that is started again when it is lost, and not when it cannot run", () => {
  const { spec } = jobManifest(PLAN);
  assert.deepEqual([spec.completionMode, spec.completions, spec.parallelism], ["Indexed", 3, 3]);
  const pod = spec.template.spec;
  assert.equal(pod.restartPolicy, "Never");
  const [apart] = pod.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution;
  assert.equal(apart?.topologyKey, "kubernetes.io/hostname");
  for (const [key, value] of Object.entries(apart?.labelSelector.matchLabels ?? {}))
    assert.deepEqual(new Map(Object.entries(spec.template.metadata.labels)).get(key), value);
  const [lost, failed] = spec.podFailurePolicy.rules;
  assert.equal(lost?.action, "Ignore");
  assert.deepEqual([failed?.action, failed?.onExitCodes?.values], ["FailIndex", [1]]);
  assert.equal(failed?.onExitCodes?.containerName, pod.containers[0]?.name);
});

void test("the words of the experiment come through as they are: Kubernetes finds no variable in them", () => {
  const [container] = jobManifest(PLAN).spec.template.spec.containers;
  const words = container?.args ?? [];
  assert.deepEqual(words.slice(0, 5), ["on", "keep", "-", "-", "ab"]);
  assert.ok(words.every((word) => !word.includes("$")));
  assert.equal(decodeURIComponent(words.at(6) ?? ""), "--setup=b=echo $(HOME)");
});

void test("a pod has no right and no limit on CPU time that nobody asked for", () => {
  const [plain] = jobManifest(PLAN).spec.template.spec.containers;
  assert.deepEqual(plain?.securityContext, { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } });
  assert.equal(plain?.resources.limits.cpu, undefined);
  const [full] = jobManifest(FULL).spec.template.spec.containers;
  assert.deepEqual(full?.securityContext.capabilities, { drop: ["ALL"], add: ["SYS_NICE"] });
  // Equal requests and limits of whole CPUs: the kubelet may give them to this pod alone.
  assert.deepEqual(full?.resources.limits, full?.resources.requests);
  assert.equal(full?.resources.limits.cpu, "8");
  const [privileged] = jobManifest({ ...PLAN, privileged: true }).spec.template.spec.containers;
  assert.deepEqual(privileged?.securityContext, { privileged: true });
});
