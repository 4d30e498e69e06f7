/** The options that the running kernel was built with, where the system tells. */
import { type Files, readValue } from "../files.js";

/** Values by option name without `CONFIG_`: `y`, `m`, a number or a text; options that are off are not there. */
export type KernelConfig = ReadonlyMap<string, string>;

/** Pure: the text of a kernel configuration. */
export const parseKernelConfig = (text: string): KernelConfig => {
  const options = new Map<string, string>();
  for (const [, name = "", value = ""] of text.matchAll(/^CONFIG_(\w+)=(.*)$/gmu)) {
    options.set(name, value.replaceAll('"', ""));
  }
  return options;
};

/** The configuration of the running kernel, from the kernel itself or from its package; null where neither has it. */
export const readKernelConfig = (files: Files): KernelConfig | null => {
  const release = readValue(files, "/proc/sys/kernel/osrelease") ?? "";
  const text =
    files.readGzipText("/proc/config.gz") ??
    files.readText(`/boot/config-${release}`) ??
    files.readText(`/lib/modules/${release}/config`);
  return text === null ? null : parseKernelConfig(text);
};
