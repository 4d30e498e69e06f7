/** The far end: does on this machine what an experiment elsewhere asks for, over two streams, until it leaves. */
import { availableParallelism } from "node:os";
import { messageOf, UserError } from "../../errors.js";
import type { Site } from "../../experiment/laboratory.js";
import { codeOf } from "../../file-reason.js";
import { jsonOrNull } from "../../json-or-null.js";
import { onLines } from "./lines.js";
import { type Greeting, type Request, request } from "./messages.js";

/** Where requests come from and answers go. */
export interface Channel {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

type Call = Exclude<Request, { call: "leave" | "stop" }>;

/** A line that is no request of ours is the channel's noise, such as an echo. */
const requestIn = (line: string): Request | null => request.safeParse(jsonOrNull(line)).data ?? null;

const errorOf = (thrown: unknown) => ({
  message: messageOf(thrown),
  remedy: thrown instanceof UserError ? (thrown.remedy ?? null) : null,
});

const greetingOf = (site: Site): Greeting => {
  const [node = "", command = ""] = site.engineCommand(null);
  return {
    greeting: "schbench-ts/site",
    origin: site.origin(),
    engine: { node, command },
    shellProgram: site.shellProgram,
    cpus: availableParallelism(),
  };
};

/** Serves a site over a channel; ends when the experiment leaves. */
export const serveSite = (site: Site, { input, output }: Channel): Promise<void> => {
  const stops = new Map<number, AbortController>();
  const leftOvers = new Map<number, () => Promise<void>>();

  const perform = async (call: Call, signal: AbortSignal): Promise<unknown> => {
    switch (call.call) {
      case "execute": {
        const { fingerprint: _, ...execution } = await site.execute({
          command: call.command,
          env: call.env,
          timeoutMsec: call.timeoutMsec,
          watch: null,
          signal,
        });
        return execution;
      }
      case "shell": {
        const { endLeftOvers, ...outcome } = await site.shell({ script: call.script, env: call.env, signal });
        if (endLeftOvers !== null) leftOvers.set(call.id, endLeftOvers);
        return { ...outcome, leftOvers: endLeftOvers !== null };
      }
      case "start-fault": {
        const fault = await site.startFault(call.program, call.env);
        return fault === null ? null : { code: codeOf(fault), message: messageOf(fault) };
      }
      case "sched-ext":
        return site.schedExt();
      case "end-left-overs":
        break;
    }
    const end = leftOvers.get(call.of);
    leftOvers.delete(call.of);
    await end?.();
    return null;
  };

  const answer = async (call: Call): Promise<void> => {
    const stop = new AbortController();
    stops.set(call.id, stop);
    const said = await perform(call, stop.signal).then(
      (value) => ({ id: call.id, value }),
      (thrown: unknown) => ({ id: call.id, error: errorOf(thrown) }),
    );
    stops.delete(call.id);
    output.write(`${JSON.stringify(said)}\n`);
  };

  return new Promise((resolve) => {
    input.on("end", resolve);
    onLines(input, (line) => {
      const asked = requestIn(line);
      if (asked === null) return;
      if (asked.call === "leave") resolve();
      else if (asked.call === "stop") stops.get(asked.of)?.abort();
      else void answer(asked);
    });
    output.write(`${JSON.stringify(greetingOf(site))}\n`);
  });
};
