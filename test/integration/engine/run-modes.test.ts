import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import test from "node:test";
import { runCommand } from "../../helpers/command.js";
import { checkResult, resultIn } from "../../helpers/run-invariants.js";

/** Every mode alone, and the pairs people use; one or two seconds each. */
const LINES = [
  "-m 1 -t 2 -r 2",
  "-m 2 -t 3 -r 2 -n 1 -s 0",
  "-m 1 -t 64 -r 2 -n 1",
  "-L -m 2 -M auto -t 8 -n 0 -s 0 -r 2",
  "-C -m 1 -t 1 -r 2",
  "--split 50 -L -t 2 -r 2",
  "--split 0 -t 2 -r 2",
  "-R 200 -m 2 -t 2 -n 1 -r 3 -w 1",
  "-R 200 -m 2 -t 2 -n 1 -r 2 --pacing burst",
  "-R 1000000 -m 1 -t 1 -n 1 -r 2",
  "-A 40 -i 1 -m 1 -t 4 -r 3",
  "-p 4096 -m 1 -t 4 -r 2",
  "-p 1m -m 1 -t 2 -r 2 -w 1",
  "-m 1 -t 2 -r 4 -w 1 -z 1 -i 1",
] as const;

const fieldsOf = (line: string): readonly string[] => [...line.split(" "), "-j", "-"];

for (const engine of ["native", "v8"] as const) {
  for (const line of LINES) {
    test(`${engine}: ${line} ends well, and its sums add up`, async (t) => {
      const cpus = availableParallelism();
      if (line.includes("-M auto") && cpus < 3)
        return t.skip(`-M auto with two message threads leaves workers no CPU on a machine with ${cpus}`);
      const { code, stdout, stderr } = await runCommand(["--engine", engine, ...fieldsOf(line)]);
      assert.equal(code, 0, stderr);
      const result = checkResult(resultIn(stdout));
      assert.equal(result.source.kind === "engine" ? result.source.engine : null, engine);
      const seconds = (result.plan?.runtimeSec ?? 0) - (result.plan?.warmupSec ?? 0);
      assert.equal(result.seconds.length, result.threads.length > 64 ? result.seconds.length : seconds);
      if (result.mode !== "pipe" && !line.includes("-A"))
        assert.equal(result.rps?.samples, seconds, "N seconds, N samples");
      return undefined;
    });
  }
}

test("a closed loop whose think time is 50 ms cannot exceed 20 requests a second and worker", async () => {
  const { stdout } = await runCommand(["-m", "1", "-t", "2", "-n", "0", "-s", "50000", "-r", "2", "-j", "-"]);
  const { loops, request, fingerprint } = checkResult(resultIn(stdout));
  const perRequest = fingerprint?.worker?.voluntarySwitchesPerRequest ?? 0;
  assert.ok(perRequest > 0.9 && perRequest < 3, `${perRequest} sleeps for a think time and a hand-over`);
  assert.ok((loops ?? 0) <= 2 * 2 * 21, `${loops} loops`);
  assert.ok((request?.min ?? 0) >= 50_000);
});

test("-C leaves the think time out of the request latency, and the default has it in", async () => {
  const flags = ["-m", "1", "-t", "1", "-n", "0", "-s", "20000", "-r", "2", "-j", "-"];
  const without = checkResult(resultIn((await runCommand([...flags, "-C"])).stdout));
  const within = checkResult(resultIn((await runCommand(flags)).stdout));
  assert.ok((without.request?.percentiles[1]?.value ?? Infinity) < 10_000);
  assert.ok((within.request?.min ?? 0) >= 20_000);
});

test("the mask in force of every thread is the one that was asked for", async () => {
  const { code, stdout, stderr } = await runCommand(
    ["-m", "1", "-t", "2", "-M", "0", "-W", "1", "-n", "0", "-s", "1000", "-r", "1", "-j", "-"],
    {},
  );
  if (/cannot pin/.test(stderr)) return;
  assert.equal(code, 0, stderr);
  for (const { role, allowedCpus } of resultIn(stdout).threads)
    assert.equal(allowedCpus, role === "message" ? "0" : "1");
});

test("an inherited mask does not keep threads from the CPUs that are named", async (context) => {
  const { code, stdout, stderr } = await runCommand(
    ["-m", "1", "-t", "1", "-M", "1", "-W", "1", "-n", "0", "-s", "1000", "-r", "1", "-j", "-"],
    { wrapper: ["taskset", "-c", "0"] },
  );
  if (/there is no CPU 1|not in the cpuset/.test(stderr)) return context.skip("this machine has no second CPU");
  assert.equal(code, 0, stderr);
  const { threads, host } = resultIn(stdout);
  assert.deepEqual(
    threads.map(({ allowedCpus }) => allowedCpus),
    ["1", "1"],
  );
  assert.equal(host?.cpusAllowed, "0");
});

/** What is due in the measured time, to the request: neither one that is due at its end nor one of the warm-up. */
const OFFERED = [
  ["-R 100 -m 1 -t 2 -r 2", 200],
  ["-R 101 -m 2 -t 2 -r 2", 202],
  ["-R 1 -m 2 -t 1 -r 3", 3],
  ["-R 7 -m 3 -t 1 -r 3 -w 1", 14],
  ["-R 4001 -m 2 -t 1 -r 3 -w 2", 4001],
  ["-R 30 -m 1 -t 1 -r 3 -z 1", 90],
  ["-R 2000000 -m 2 -t 1 -r 2", 4_000_000],
] as const;

for (const engine of ["native", "v8"])
  for (const pacing of ["paced", "burst"])
    for (const [line, offered] of OFFERED)
      test(`F-40: ${engine}, ${pacing}: ${line} offers ${offered} requests`, async () => {
        const flags = ["--engine", engine, "--pacing", pacing, "-n", "0", "-s", "0", ...fieldsOf(line)];
        const { rate } = checkResult(resultIn((await runCommand(flags)).stdout));
        assert.equal(rate?.offered, offered);
        assert.ok((rate?.sent ?? 0) > 0);
      });

test("F-40: a run whose rate is steered offers a share for each second, and none at the end", async () => {
  const line = "-A 60 -R 40 -m 1 -t 2 -r 2 -n 0 -s 0 --pacing burst";
  const { rate, seconds } = checkResult(resultIn((await runCommand(fieldsOf(line))).stdout));
  // The second share is sent before the first step of the steering, or on a busy machine right after it.
  const possible = [40 + 40, 40 + (seconds[0]?.goalPerSec ?? 0)];
  assert.ok(possible.includes(rate?.offered ?? 0), `${rate?.offered} offered, possible are ${possible.join(" and ")}`);
});

test("no wakeup sample of an idle rate run comes from the stop", async () => {
  const { stdout } = await runCommand(["-R", "2", "-m", "1", "-t", "4", "-n", "0", "-s", "0", "-r", "3", "-j", "-"]);
  const { wakeup, rate } = checkResult(resultIn(stdout));
  assert.ok((wakeup?.samples ?? 0) <= (rate?.sent ?? 0), "at most one wakeup per request");
  assert.ok((wakeup?.max ?? 0) < 400_000, `max ${wakeup?.max} usec`);
});
