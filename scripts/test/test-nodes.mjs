#!/usr/bin/env node
// Runs the compiled tests under other Node versions than the running one.
//   test-nodes.mjs NODE … [-- KIND or path part …]     binaries also from NODES=…; kinds without a word: see KINDS
import { spawnSync } from "node:child_process";
import { nodesAsked } from "./nodes.mjs";

const KINDS = ["unit/", "property/", "golden/", "integration/"];
const root = new URL("../..", import.meta.url).pathname;
const words = process.argv.slice(2);
const split = words.includes("--") ? words.indexOf("--") : words.length;
const chosen = words.slice(split + 1);
const kinds = chosen.length > 0 ? chosen : KINDS;
const nodes = nodesAsked(words.slice(0, split));
if (nodes.length === 0) {
  console.error("give the paths of Node binaries, as words or in NODES");
  process.exit(1);
}

const COUNTS = /^ℹ (tests|pass|fail|skipped) (\d+)$/gmu;
let failures = 0;
for (const { path, version, env } of nodes) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(path, ["scripts/test.mjs", "--no-build", ...kinds], {
    cwd: root,
    encoding: "utf8",
    env,
    maxBuffer: 2 ** 28,
  });
  const counts = [...stdout.matchAll(COUNTS)].map(([, what, count]) => `${count} ${what}`).join(", ");
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`Node ${version}: ${status === 0 ? "fine" : "FAILED"}, ${counts || "no test ran"} (${seconds} s)`);
  if (status === 0) continue;
  failures++;
  const details = stdout.indexOf("✖ failing tests:");
  console.log(details < 0 ? stdout + stderr : stdout.slice(details));
}
process.exit(failures === 0 ? 0 : 1);
