/** What `--version` says. */
import { describeNativeBuild, nativeBuilds, whyNoNativeBuild } from "../engine/host/native-host.js";
import { messageOf } from "../errors.js";
import { packageVersion } from "../platform/package-version.js";

/** What `--version` prints: this package, its runtime, and the engines that a run could use here. */
export const versionText = (): string => {
  const { node, v8 } = process.versions;
  const builds = nativeBuilds().map((build) => {
    try {
      return `engine native: ${describeNativeBuild(build)}`;
    } catch (error) {
      return `engine native: ${build.variant} does not load: ${messageOf(error)}`;
    }
  });
  return [
    `schbench-ts ${packageVersion()}`,
    `node ${node}, V8 ${v8}, ${process.platform} ${process.arch}`,
    ...(builds.length === 0 ? [`engine native: none, ${whyNoNativeBuild()}`] : builds),
    `engine v8: V8 ${v8}`,
    "",
  ].join("\n");
};
