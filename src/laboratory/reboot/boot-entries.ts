/** Which entry of a boot menu starts a kernel: GRUB's generated menu, and entries of the Boot Loader Specification. Pure. */
import { basename } from "node:path";

/** One entry. */
export interface BootEntry {
  /** As grub-reboot and bootctl take it. */
  readonly id: string;
  /** File name or path of the kernel, as the menu has it. */
  readonly linux: string;
  /** The kernel's arguments. */
  readonly options: string;
}

/** The quoted or bare words of a line of GRUB's script. */
const words = (line: string): readonly string[] =>
  (line.match(/'[^']*'|"[^"]*"|[^\s'"]+/gu) ?? []).map((word) => word.replaceAll(/^['"]|['"]$/gu, ""));

/** The name of an entry or a submenu: its id, else its title. */
const nameOf = (parts: readonly string[]): string => {
  const at = parts.findIndex((word) => /^(?:\$menuentry_id_option|--id)$/u.test(word));
  return parts.at(at < 0 ? 1 : at + 1) ?? "";
};

/** The entries of a grub.cfg; one within a submenu is called `SUBMENU>ENTRY`. */
export const grubEntries = (text: string): readonly BootEntry[] => {
  const entries: BootEntry[] = [];
  const open: { readonly kind: "menuentry" | "submenu" | "other"; readonly name: string }[] = [];
  for (const line of text.split("\n").map((raw) => raw.trim())) {
    const parts = words(line);
    const [first = ""] = parts;
    if (line.endsWith("{"))
      open.push({
        kind: first === "menuentry" || first === "submenu" ? first : "other",
        name: nameOf(parts),
      });
    else if (line === "}") open.pop();
    else if (/^linux(?:16|efi)?$/u.test(first) && open.some(({ kind }) => kind === "menuentry"))
      entries.push({
        id: open
          .filter(({ kind }) => kind !== "other")
          .map(({ name }) => name)
          .join(">"),
        linux: parts.at(1) ?? "",
        options: parts.slice(2).join(" "),
      });
  }
  return entries;
};

/** An entry in a file of its own, `loader/entries/ID.conf`; null: it starts no kernel. */
export const loaderEntry = (file: string, text: string): BootEntry | null => {
  const value = (key: string): string | undefined => new RegExp(`^${key}[ \t]+(.*)$`, "mu").exec(text)?.[1]?.trim();
  const linux = value("linux");
  return linux === undefined ? null : { id: file, linux, options: value("options") ?? "" };
};

/** Entries that start a system for repair. */
const isForRepair = ({ id, options }: BootEntry): boolean =>
  /recovery|rescue/u.test(id) ||
  /(?:^| )(?:single|rescue|emergency|systemd\.unit=rescue\.target)(?: |$)/u.test(options);

/**
 * The entry that starts a kernel; undefined: there is none.
 *
 * @param path of its image here
 * @param release by which images called just `linux` are told apart: it is in the name of their folder
 */
export const entryFor = (entries: readonly BootEntry[], path: string, release: string): BootEntry | undefined => {
  const usual = entries.filter((entry) => !isForRepair(entry));
  const isNamed = ({ linux }: BootEntry): boolean => basename(linux) === basename(path);
  const byFile = basename(path) === "linux" ? undefined : usual.find(isNamed);
  return byFile ?? usual.find(({ linux }) => linux.split("/").includes(release));
};
