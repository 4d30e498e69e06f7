/** What to do about a part of this program that is missing: only a checkout can build it. */
import { homeKind } from "../package-files.js";

/** Where the program is, as `homeKind` tells. */
export type Home = ReturnType<typeof homeKind>;

const NATIVE: Readonly<Record<Home, string>> = {
  checkout: "Install gcc or clang, and run npm run build:native.",
  package:
    "Build a package on a machine like this one, with gcc or clang: npm ci and npm pack in a checkout, then npm install -g the file.",
  executable:
    "Build the executable again on a machine like this one, with gcc or clang: npm run build:executable in a checkout.",
};

const MODULE: Readonly<Record<Home, string>> = {
  checkout: "Build it: npm run build.",
  package: "Install schbench-ts again: the package is not complete.",
  executable: "Build the executable again: npm run build:executable in a checkout.",
};

/** How to get a native engine where there is none. */
export const nativeRemedy = (home: Home = homeKind()): string => NATIVE[home];

/** How to get the engine module where it is missing or out of date. */
export const moduleRemedy = (home: Home = homeKind()): string => MODULE[home];
