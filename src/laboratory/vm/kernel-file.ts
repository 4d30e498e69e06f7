/** The file of a kernel that is named as people who build kernels name it, and as virtme-ng's `vng --run` takes it. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../errors.js";

/** Where a kernel tree, or the folder that it is built in, has its image; `vng --build` leaves it there. */
const BUILT = "arch/x86/boot/bzImage";

/** Where an installed kernel lies, by its release. */
const installed = (release: string): readonly string[] => [
  `/boot/vmlinuz-${release}`,
  `/usr/lib/modules/${release}/vmlinuz`,
];

const kindOf = (path: string): "file" | "folder" | null => {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch {
    return null;
  }
};

/**
 * The image that `--kernel` names: a file; the image in a kernel tree; or an installed kernel, by its release (`uname -r`).
 *
 * @returns the name itself where there is nothing of the kind: whoever reads it says why it cannot
 * @throws UserError for a folder without an image
 */
export const kernelFile = (name: string): string => {
  const kind = kindOf(name);
  if (kind === "file") return name;
  if (kind === null)
    return name.includes("/") ? name : (installed(name).find((path) => kindOf(path) === "file") ?? name);
  const image = join(name, BUILT);
  if (kindOf(image) !== "file")
    throw new UserError(
      `there is no kernel in "${name}": it has no ${BUILT}`,
      "Build one there (make bzImage, or vng --build of virtme-ng), or name the file of a kernel.",
    );
  return image;
};
