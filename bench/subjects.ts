/** Who is measured: our command, or a reference binary; one run each, and what it printed. */
import { spawn } from "node:child_process";
import { PACKAGE_FILES } from "../src/package-files.js";
import { parseOutput } from "../src/parse/parse-output.js";
import type { RunResult } from "../src/model/result/run-result.js";

/** One implementation under measurement. */
export interface BenchSubject {
  readonly name: string;
  readonly argv: readonly string[];
  /** Ours: the result comes as JSON. */
  readonly isOurs: boolean;
  readonly env: Readonly<Record<string, string>>;
}

/** Our command on this Node or another one, with one engine. */
export const ourSubject = (
  name: string,
  engine: "native" | "v8",
  {
    node = process.execPath,
    env = {},
  }: { readonly node?: string; readonly env?: Readonly<Record<string, string>> } = {},
): BenchSubject => ({ name, argv: [node, PACKAGE_FILES.command, "--engine", engine], isOurs: true, env });

/** A schbench binary. */
export const referenceSubject = (name: string, path: string): BenchSubject => ({
  name,
  argv: [path],
  isOurs: false,
  env: {},
});

/** Runs a command to its end; rejects when it fails. */
export const runText = (
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  onStart: (pid: number) => void = () => undefined,
): Promise<{ readonly stdout: string; readonly stderr: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(argv[0] ?? "", argv.slice(1), {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("spawn", () => onStart(child.pid ?? 0));
    child.on("close", (code) => {
      if (code === 0) resolve({ stdout, stderr });
      else reject(new Error(`${argv.join(" ")}: exit ${code}\n${stderr}`));
    });
  });

/** One run of a subject with these flags. */
export const runSubject = async (subject: BenchSubject, flags: readonly string[]): Promise<RunResult> => {
  const { stdout, stderr } = await runText(
    [...subject.argv, ...flags, ...(subject.isOurs ? ["-j", "-"] : [])],
    subject.env,
  );
  const results = parseOutput(subject.isOurs ? stdout : stderr, { file: subject.name });
  const last = results.at(-1);
  if (last === undefined) throw new Error(`${subject.name} printed no report`);
  return last;
};
