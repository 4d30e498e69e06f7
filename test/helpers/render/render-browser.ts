/** A browser for the tests of reports: Debian's Chromium or another one that is installed, headless and silent. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/** Path of an installed browser; undefined when there is none. `CHROMIUM` names another. */
export const browserPath = (): string | undefined =>
  [process.env["CHROMIUM"], ...PLACES].find((path) => path !== undefined && existsSync(path));

/** Why tests in a browser cannot run here; false when they can. */
export const noBrowser = (): string | false =>
  browserPath() === undefined
    ? `no browser at ${PLACES.join(", ")}; install chromium, or name one with CHROMIUM`
    : false;

/** Starts the browser; it asks the network for nothing by itself. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: browserPath() ?? "",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--headless",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--disable-quic",
    ],
  });
