/** `--print-job kubernetes`: what its pods are told is run here as they would, and read back; `sweep --on`; the image. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { parse } from "yaml";
import { z } from "zod";
import { joinWords } from "../../../src/options/values/shell-words.js";
import { PACKAGE_FILES } from "../../../src/package-files.js";
import { runCommand } from "../../helpers/command.js";

const folder = mkdtempSync(join(tmpdir(), "fleet-job-"));
after(() => rmSync(folder, { recursive: true }));

const PRINT = "--print-job kubernetes --image example/schbench-ts --nodes 2".split(" ");
const AB = ["ab", ...PRINT, ..."--subject a --subject b --runs 1 --warmup-runs 0".split(" ")];
const FLAGS = "-- -m 1 -t 1 -r 1".split(" ");

const manifest = z.object({
  spec: z.object({
    template: z.object({ spec: z.object({ containers: z.array(z.object({ args: z.array(z.string()) })).length(1) }) }),
  }),
});
const printed = async (words: readonly string[]): Promise<readonly string[]> => {
  const { code, stdout, stderr } = await runCommand(words);
  assert.equal(code, 0, stderr);
  return manifest.parse(parse(stdout)).spec.template.spec.containers.flatMap(({ args }) => args);
};

void test("the logs of a job's pods, stray lines and all, become files that compare reads with a row per node", async () => {
  const args = await printed([...AB, ...FLAGS]);
  const logs = await Promise.all(
    ["node-a", "node-b"].map(async (node) => {
      const { code, stdout, stderr } = await runCommand(args, { env: { NODE_NAME: node } });
      assert.equal(code, 0, stderr);
      writeFileSync(join(folder, `${node}.log`), `starting\n${stderr}${stdout}{"some": "line"}\ndone\n`);
      return node;
    }),
  );
  // As docs/fleets.md has it.
  const filter = 'grep \'^{"format":"schbench-ts/\'';
  assert.ok(readFileSync(new URL("../../../../docs/fleets.md", import.meta.url), "utf8").includes(filter));
  for (const node of logs) execFileSync("sh", ["-c", `${filter} "$1.log" > "$1.ndjson"`, "sh", join(folder, node)]);
  const { code, stdout, stderr } = await runCommand(["compare", ...logs.map((node) => join(folder, `${node}.ndjson`))]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^node-a\b/m);
  assert.match(stdout, /^node-b\b/m);
});

void test("on a shared volume a pod that is started again goes on with the file of its node", async () => {
  const args = await printed([...AB, "--claim", "bench-runs", ...FLAGS]);
  assert.equal(args[2], "/runs");
  const volume = join(folder, "volume");
  mkdirSync(volume);
  const start = () =>
    runCommand(
      args.map((word) => (word === "/runs" ? volume : word)),
      { env: { NODE_NAME: "node-a" } },
    );
  const first = await start();
  assert.equal(first.code, 0, first.stderr);
  const file = join(volume, "node-a.ndjson");
  const lines = readFileSync(file, "utf8").split("\n");
  assert.equal(lines.length, 4);
  // The pod was lost after one run.
  writeFileSync(file, `${lines.slice(0, 2).join("\n")}\n`);
  const again = await start();
  assert.equal(again.code, 0, again.stderr);
  assert.equal(readFileSync(file, "utf8").split("\n").slice(0, 2).join("\n"), lines.slice(0, 2).join("\n"));
  assert.equal(readFileSync(file, "utf8").split("\n").length, 4);
});

void test("what a printed job lacks, or cannot have, is said before anything is printed", async () => {
  const cases = [
    [["--print-job", "kubernetes", "--nodes", "2"], /needs --image/],
    [["--print-job", "kubernetes", "--image", "x"], /needs --nodes/],
    [[...PRINT, "-o", "runs"], /leave out -o/],
    [[...PRINT, "--on", "ssh host"], /cannot combine --print-job with --on/],
    [[...PRINT, "--node-label", "x y"], /invalid value "x y" for --node-label/],
    [["--image", "x"], /--image is about a job that is printed/],
  ] as const;
  await Promise.all(
    cases.map(async ([words, expected]) => {
      const { code, stdout, stderr } = await runCommand(["ab", "--subject", "a", "--subject", "b", ...words, ...FLAGS]);
      assert.equal(code, 1);
      assert.equal(stdout, "");
      assert.match(stderr, expected);
    }),
  );
  // A real-time policy needs a capability; -t decides how many threads there are.
  const asked = await runCommand([...AB, ...FLAGS, "--worker-sched", "fifo:10"]);
  assert.match(asked.stdout, /add:\s+- SYS_NICE/);
  const loose = await runCommand([...AB, "--", "-m", "1"]);
  assert.match(loose.stderr, /-t is left out/);
});

void test("a sweep runs on every machine, and shows where each one bends", async () => {
  const runs = join(folder, "sweep");
  const { code, stdout, stderr } = await runCommand([
    ..."sweep --vary t=1,2 --runs 1 --warmup-runs 0 --on one=env --on two=env".split(" "),
    "--on-command",
    joinWords([process.execPath, PACKAGE_FILES.command]),
    "-o",
    runs,
    ..."-- -m 1 -r 1".split(" "),
  ]);
  assert.equal(code, 0, stderr);
  const [before, one = "", two = ""] = stdout.split(/^(?:one|two)$/m);
  assert.equal(before, "");
  for (const table of [one, two])
    for (const threads of ["1", "2"]) assert.match(table, new RegExp(`^\\s*${threads}\\b`, "m"));
  assert.match(stderr, /warning: one, two are one machine/);
  const { stdout: judged } = await runCommand([
    "compare",
    join(runs, "one.ndjson"),
    `other=${join(runs, "two.ndjson")}`,
  ]);
  assert.match(judged, /other/);
});

void test("the image has the executable where the job looks for it", () => {
  const root = new URL("../../../../", import.meta.url);
  const steps = readFileSync(new URL("Containerfile", root), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => /^([A-Z]+) (.+)$/.exec(line)?.slice(1) ?? [line]);
  assert.deepEqual(
    steps.map(([word]) => word),
    ["FROM", "COPY", "ENV", "ENTRYPOINT"],
  );
  const [, copied = ""] = steps[1] ?? [];
  const [mode, from, to] = copied.split(" ");
  assert.equal(mode, "--chmod=0755");
  // Its place in the folder that the build command names, and on the PATH.
  const { scripts } = z
    .object({ scripts: z.object({ "build:executable": z.string() }) })
    .parse(JSON.parse(readFileSync(new URL("package.json", root), "utf8")));
  const [, script = ""] = scripts["build:executable"].split(" ");
  assert.ok(readFileSync(new URL(script, root), "utf8").includes(`/${from}\``));
  assert.equal(to, `/usr/local/bin/${from}`);
  assert.deepEqual(JSON.parse(steps[3]?.[1] ?? ""), [to]);
});
