/**
 * Which container this process is in, if any. A file that a container engine leaves behind is no proof by itself: images of
 * containers are booted as virtual machines, too. So it counts where the processes of the machine cannot be seen, or where
 * the control group says so.
 */
import { type Files, readValue } from "../files.js";

/** What a container engine leaves in its containers. First match wins. */
const MARKS = [
  ["/var/run/secrets/kubernetes.io", "Kubernetes"],
  ["/run/.containerenv", "Podman"],
  ["/.dockerenv", "Docker"],
] as const;

/** Names in the path of a control group, where that is not hidden. */
const GROUPS = [
  [/\bkubepods\b/u, "Kubernetes"],
  [/\blibpod\b/u, "Podman"],
  [/\/(?:docker|system\.slice\/docker-)/u, "Docker"],
  [/\/lxc(?:\.|\/)/u, "LXC"],
] as const;

/** The second process of a machine is a thread of its kernel; in a PID namespace it is anything, or not there. */
const isInPidNamespace = (files: Files): boolean =>
  readValue(files, "/proc/1/comm") !== null && readValue(files, "/proc/2/comm") !== "kthreadd";

const nameOfManager = (files: Files): string | null => {
  const name = readValue(files, "/run/systemd/container");
  return name === null ? null : ({ docker: "Docker", podman: "Podman", lxc: "LXC" }[name] ?? name);
};

/** Name of the container engine, `PID namespace` where none is named, or null outside of any. */
export const readContainer = (files: Files): string | null => {
  const groups = files.readText("/proc/self/cgroup") ?? "";
  const byGroup = GROUPS.find(([pattern]) => pattern.test(groups))?.[1] ?? null;
  if (byGroup === null && !isInPidNamespace(files)) return null;
  const byMark = MARKS.find(([path]) => files.exists(path))?.[1] ?? null;
  return byGroup ?? nameOfManager(files) ?? byMark ?? "PID namespace";
};
