/** The machine of a run in lines of text; what is not known is left out. */
import type { HostFacts } from "../../model/result/run-result.js";

/** `kernel: 6.18.44`, … */
export const hostLines = (host: HostFacts | null): readonly string[] => {
  if (host === null) return ["no result names the machine it was made on"];
  const facts: readonly (readonly [string, string | number | null])[] = [
    ["kernel", host.kernel],
    [
      "scheduler",
      host.schedExt === "disabled" ? "the kernel's own (sched_ext disabled)" : `sched_ext ${host.schedExt}`,
    ],
    ["CPU", host.cpuModel],
    ["core", host.cpuSignature ?? null],
    ["CPUs", `${host.cpusOnline} online, ${host.cpusAllowed} allowed`],
    ["governor", host.governor],
    ["SMT", host.smt],
    ["transparent huge pages", host.transparentHugepage],
    ["virtualisation", host.virtualization],
    ["container", host.container],
    ["cgroup cpu.max", host.cgroupCpuMax],
    ["Node", `${host.node} (V8 ${host.v8})`],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
};
