// The compiler leaves what it made of a source that has since moved: a test would run twice, and the package would carry it.
import { existsSync, readdirSync, rmSync } from "node:fs";

const SOURCES = ["src", "test", "bench"];
/** `x.js`, `x.cjs` and their types come from `x.ts` and `x.cts`. */
const sourceOf = (compiled) =>
  compiled.replace(/(?:\.d\.(c?)ts|\.(c?)js)$/u, (_, types, code) => `.${types ?? code}ts`);

/** Removes every compiled module below `ROOT/dist` whose source is gone. */
export const removeStale = (root) => {
  for (const folder of SOURCES.filter((name) => existsSync(`${root}dist/${name}`)))
    for (const path of readdirSync(`${root}dist/${folder}`, { recursive: true, encoding: "utf8" })) {
      const file = `${folder}/${path}`;
      if (/\.c?(?:js|ts)$/u.test(file) && !existsSync(root + sourceOf(file))) rmSync(`${root}dist/${file}`);
    }
};
