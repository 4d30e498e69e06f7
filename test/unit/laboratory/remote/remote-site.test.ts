import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { UserError } from "../../../../src/errors.js";
import { connectSite } from "../../../../src/laboratory/remote/remote-site.js";
import { serveSite } from "../../../../src/laboratory/remote/serve-site.js";
import { machineSite } from "../../../../src/laboratory/here/machine-site.js";
import { type FakeAnswers, fakeLaboratory } from "../../../helpers/fakes/fake-laboratory.js";

const never = new AbortController().signal;
const ignore = (): void => undefined;

/** Both ends, joined by two pipes that cut lines where they like. */
const joined = (site = fakeLaboratory()) => {
  const [there, back] = [new PassThrough(), new PassThrough()];
  let lose: (error: Error) => void = ignore;
  const gone = new Promise<Error>((resolve) => {
    lose = resolve;
  });
  const served = serveSite(site, { input: there, output: back });
  const connection = connectSite({ input: back, output: there }, { gone, silent: () => new UserError("silent") });
  return { ...connection, served, lose, there };
};

const ended = (answers: FakeAnswers) => joined(fakeLaboratory(answers));

void test("a site elsewhere answers as the one that is served: commands, origin, scheduler and faults", async () => {
  const { site, leave, served } = ended({
    execute: ({ command }) => ({ stdout: `${command.join(" ")} é\n`, exitCode: 3 }),
    startFault: () => Object.assign(new Error("no"), { code: "EACCES" }),
    schedExt: () => ({ name: "scx_a", loads: 4 }),
  });
  const far = await site;
  assert.deepEqual(far.engineCommand(null), ["node", "bin.js"]);
  assert.deepEqual(far.engineCommand("/n22"), ["/n22", "bin.js"]);
  assert.equal(far.origin().bootId, "boot-1");
  const run = await far.execute({ command: ["a", "b"], env: {}, timeoutMsec: 5, watch: null, signal: never });
  assert.deepEqual([run.stdout, run.exitCode, run.fingerprint({ perSec: 1, of: "all-workers" })], ["a b é\n", 3, null]);
  assert.deepEqual(await far.schedExt(), { name: "scx_a", loads: 4 });
  const fault = await far.startFault("x", {});
  assert.ok(fault instanceof Error && "code" in fault && fault.code === "EACCES");
  leave();
  await served;
});

void test("what a shell command leaves in the background is ended there, once", async () => {
  let ends = 0;
  const { site } = ended({ shell: () => ({ endLeftOvers: async () => void ends++ }) });
  const left = await (await site).shell({ script: "x &", env: {}, signal: never });
  await left.endLeftOvers?.();
  assert.equal(ends, 1);
  const { site: other } = joined();
  assert.equal((await (await other).shell({ script: "x", env: {}, signal: never })).endLeftOvers, null);
});

void test("an error there is an error here, with its remedy", async () => {
  const { site } = ended({
    execute: () => {
      throw new UserError("cannot start", "Install it.");
    },
  });
  const far = await site;
  await assert.rejects(
    far.execute({ command: ["x"], env: {}, timeoutMsec: null, watch: null, signal: never }),
    (error) => error instanceof UserError && error.message === "cannot start" && error.remedy === "Install it.",
  );
});

void test("a real program there is stopped by the signal here", async () => {
  const { site } = joined({ ...fakeLaboratory(), ...machineSite });
  const stop = new AbortController();
  const far = await site;
  const running = far.execute({
    command: ["sleep", "60"],
    env: {},
    timeoutMsec: null,
    watch: null,
    signal: stop.signal,
  });
  setTimeout(() => stop.abort(), 200);
  assert.equal((await running).endedBy, "SIGINT");
});

void test("a far end that is gone fails what waits and what is asked later", async () => {
  const { site, lose } = joined({ ...fakeLaboratory(), schedExt: () => new Promise(() => undefined) });
  const far = await site;
  const waiting = far.schedExt();
  lose(new UserError("it panicked"));
  await assert.rejects(waiting, /it panicked/);
  await assert.rejects(far.schedExt(), /it panicked/);
});

void test("lines that are no requests, such as an echo, are passed over", async () => {
  const { site, there } = joined();
  there.write("login:\n{}\n[1]\n");
  assert.equal((await (await site).schedExt())?.name, "disabled");
});
