/** On which file system a file lies, as /proc/self/mountinfo has it (proc(5)). Pure. */

/** A mounted file system. */
export interface Mount {
  readonly folder: string;
  /** Such as `ext4`. */
  readonly type: string;
  /** Such as `/dev/sda1`. */
  readonly source: string;
}

const plain = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/gu, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)));

const contains = (folder: string, path: string): boolean =>
  folder === "/" || path === folder || path.startsWith(`${folder}/`);

/** The file system that holds a path; null: the table has none. */
export const mountOf = (mountinfo: string, path: string): Mount | null => {
  let found: Mount | null = null;
  for (const line of mountinfo.split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    const folder = plain(before.split(" ").at(4) ?? "");
    const [type = "", source = ""] = after.split(" ");
    if (folder === "" || !contains(folder, path)) continue;
    // What was mounted last over the same folder is what is seen.
    if (found === null || folder.length >= found.folder.length) found = { folder, type, source: plain(source) };
  }
  return found;
};

/** Whether what lies on a file system is gone after a boot. */
export const isForgotten = ({ type }: Mount): boolean => type === "tmpfs" || type === "ramfs" || type === "devtmpfs";
