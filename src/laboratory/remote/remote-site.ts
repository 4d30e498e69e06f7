/** The near end: a site elsewhere as an experiment uses it, over two streams to where serve-site.ts runs. */
import type { z } from "zod";
import { UserError } from "../../errors.js";
import { jsonOrNull } from "../../json-or-null.js";
import type { Site } from "../../experiment/laboratory.js";
import { onLines } from "./lines.js";
import { answer, execution, fault, type Greeting, greeting, schedulerState, shellOutcome } from "./messages.js";
import type { Channel } from "./serve-site.js";

/** A connection to a site. */
export interface SiteConnection {
  /** The site, once it has said who it is. */
  readonly site: Promise<Site & { readonly cpus: number }>;
  readonly leave: () => void;
}

/** A far end that has said nothing so long after its program should have ended is lost. */
const SPARE_MSEC = 60_000;

interface Waiting {
  readonly answered: (value: unknown) => void;
  readonly failed: (error: Error) => void;
}

type Asked = { readonly call: string } & Readonly<Record<string, unknown>>;

/** Until there is something to do. */
const ignore = (): void => undefined;

const errorOf = ({ message, remedy }: { readonly message: string; readonly remedy: string | null }): UserError =>
  new UserError(message, remedy ?? undefined);

/**
 * Speaks to a site.
 *
 * @param lost settles with the reason when the far end is gone or silent; every call then fails with it
 */
export const connectSite = (
  { input, output }: Channel,
  lost: { readonly gone: Promise<Error>; readonly silent: () => Error },
): SiteConnection => {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let end: Error | null = null;
  const send = (message: object) => void output.write(`${JSON.stringify(message)}\n`);
  let greet: (hello: Greeting) => void = ignore;

  const call = async <S extends z.ZodType>(
    schema: S,
    asked: Asked,
    { signal, limitMsec = null }: { readonly signal?: AbortSignal; readonly limitMsec?: number | null } = {},
  ): Promise<z.infer<S>> => {
    if (end !== null) throw end;
    const id = ++lastId;
    const stop = () => send({ call: "stop", of: id });
    let timer: NodeJS.Timeout | undefined;
    try {
      const value = await new Promise<unknown>((answered, failed) => {
        waiting.set(id, { answered, failed });
        if (limitMsec !== null) timer = setTimeout(() => failed(lost.silent()), limitMsec + SPARE_MSEC);
        send({ id, ...asked });
        if (signal?.aborted === true) stop();
        signal?.addEventListener("abort", stop, { once: true });
      });
      return schema.parse(value);
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
      signal?.removeEventListener("abort", stop);
    }
  };

  const siteOf = ({ origin, engine, shellProgram, cpus }: Greeting): Site & { readonly cpus: number } => ({
    cpus,
    engineCommand: (node) => [node ?? engine.node, engine.command],
    shellProgram,
    origin: () => origin,
    execute: async ({ command, env, timeoutMsec, signal }) => ({
      ...(await call(execution, { call: "execute", command, env, timeoutMsec }, { signal, limitMsec: timeoutMsec })),
      // Threads are watched from beside them, and nobody of ours stands there.
      fingerprint: () => null,
    }),
    startFault: async (program, env) => {
      const found = await call(fault, { call: "start-fault", program, env });
      return found === null ? null : Object.assign(new Error(found.message), { code: found.code });
    },
    shell: async ({ script, env, signal }) => {
      const asked = lastId + 1;
      const { leftOvers, ...outcome } = await call(shellOutcome, { call: "shell", script, env }, { signal });
      return {
        ...outcome,
        endLeftOvers: leftOvers
          ? async () => {
              await call(fault, { call: "end-left-overs", of: asked });
            }
          : null,
      };
    },
    schedExt: () => call(schedulerState, { call: "sched-ext" }),
  });

  const site = new Promise<Site & { readonly cpus: number }>((resolve, reject) => {
    greet = (hello) => resolve(siteOf(hello));
    void lost.gone.then((error) => {
      end = error;
      reject(error);
      for (const { failed } of waiting.values()) failed(error);
    });
  });
  // Whoever does not wait for the site any more does not hear of its loss.
  site.catch(() => undefined);

  onLines(input, (line) => {
    const value = jsonOrNull(line);
    const hello = greeting.safeParse(value);
    if (hello.success) greet(hello.data);
    const { data } = answer.safeParse(value);
    if (data === undefined) return;
    const who = waiting.get(data.id);
    if ("error" in data) who?.failed(errorOf(data.error));
    else who?.answered(data.value);
  });
  return { site, leave: () => send({ call: "leave" }) };
};
