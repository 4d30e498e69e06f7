// The command as it is installed: all modules of src/bin.ts and of the engine's process in a few readable CommonJS files, which
// Node loads in half the time that a hundred ES modules take. What is imported when it is wanted lies in files of its own.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { rolldown } from "rolldown";

/** Loaded from where it is installed: it has a binary beside it. */
const EXTERNAL = ["koffi", /^node:/u];

/** What a plain run needs, in two files, since each more puts off its first request: up to a plan, and all that koffi is for. */
const GROUPS = [
  { name: "plan", test: /\/src\/cli\/(?:main|commands\/run-command|io\/collect-text)\.js$/u, priority: 2 },
  { name: "engine", test: /\/src\/engine\/run\.js$/u, priority: 1 },
];
/** The table is imported where it is wanted, as every command's is; here it comes with the run. */
const isExpected = ({ code }) => code === "INEFFECTIVE_DYNAMIC_IMPORT";

/** Licenses under which code may be given away in one file with ours, which is under GPL-2.0-only. Apache-2.0 is not among them. */
const LICENSES = ["0BSD", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"];

/** linkedom's reader of style sheets is under Apache-2.0; no report asks for a sheet, and one that did would end in this error. */
const withoutStyleSheets = {
  name: "without style sheets",
  resolveId: (source) => (source === "cssomnom/parse" ? "\0no-style-sheets" : null),
  load: (id) =>
    id === "\0no-style-sheets"
      ? 'export const parse = () => { throw new Error("style sheets are not read in the command"); };'
      : null,
};

const packageFolderOf = (moduleId) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(moduleId)?.[0];

/** What the licenses of the packages inside ask for: their texts beside the code. */
const noticesOf = (chunks) => {
  const folders = new Set(chunks.flatMap(({ moduleIds }) => moduleIds.map(packageFolderOf).filter(Boolean)));
  const notices = [...folders]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
      if (!LICENSES.includes(license))
        throw new Error(`${name} is under ${license}; the command may hold code under ${LICENSES.join(", ")}`);
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/iu.test(entry));
      const text = file === undefined ? "" : `\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}`;
      return `${name} ${version}: ${license}${text}\n`;
    });
  return `Code of these packages is in the files of this folder.\n\n${notices.join(`\n${"-".repeat(80)}\n\n`)}`;
};

/**
 * Bundles the compiled modules of `DIST/src` into `DIST/command`.
 *
 * @param dist the compiler's output folder
 */
export const buildCommand = async (dist) => {
  const folder = `${dist}/command`;
  const bundle = await rolldown({
    input: {
      bin: `${dist}/src/bin.js`,
      "engine-process": `${dist}/src/engine/child/engine-process.js`,
      guest: `${dist}/src/laboratory/vm/guest.js`,
    },
    platform: "node",
    external: EXTERNAL,
    plugins: [withoutStyleSheets],
    onLog: (level, log, handle) => {
      if (!isExpected(log)) handle(level, log);
    },
  });
  if (existsSync(folder)) rmSync(folder, { recursive: true });
  const { output } = await bundle.write({
    dir: folder,
    format: "cjs",
    strict: true,
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name].cjs",
    codeSplitting: { groups: GROUPS },
  });
  await bundle.close();
  const entries = output.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
  for (const { fileName, imports } of output)
    // What is loaded for its parts would start a second command.
    if (imports.some((file) => entries.includes(file)))
      throw new Error(`${fileName} imports one of ${entries.join(", ")}`);
  writeFileSync(`${folder}/LICENSES.txt`, noticesOf(output));
};
