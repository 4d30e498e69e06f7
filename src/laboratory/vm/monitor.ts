/** QEMU's monitor (QMP, docs/interop/qmp-spec in QEMU's sources): a line of JSON for each command, answer and event. */
import { z } from "zod";
import { UserError } from "../../errors.js";
import { onLines } from "../remote/lines.js";

/** A line of the monitor, of any kind. */
const line = z.object({
  return: z.unknown().optional(),
  error: z.object({ desc: z.string() }).optional(),
  event: z.string().optional(),
});
const cpuThreads = z.array(z.object({ "cpu-index": z.number().int(), "thread-id": z.number().int() }));

/** A virtual machine's monitor. */
export interface Monitor {
  /** The host's thread of each vCPU, in order. */
  readonly cpuThreads: () => Promise<readonly number[]>;
  /** Lets the guest run. */
  readonly start: () => Promise<void>;
}

/**
 * Speaks to a monitor.
 *
 * @param onStop told when the guest stops by itself, as it does when KVM cannot go on
 */
export const connectMonitor = async (
  stream: NodeJS.ReadableStream & NodeJS.WritableStream,
  onStop: () => void,
): Promise<Monitor> => {
  const waiting: { answered: (value: unknown) => void; failed: (error: Error) => void }[] = [];
  onLines(stream, (text) => {
    const said = line.safeParse(JSON.parse(text)).data;
    if (said === undefined) return;
    if (said.event === "STOP") onStop();
    else if (said.error !== undefined) waiting.shift()?.failed(new UserError(`QEMU refuses: ${said.error.desc}`));
    else if ("return" in said) waiting.shift()?.answered(said.return);
  });
  // QEMU answers in order, one command at a time.
  const call = (execute: string): Promise<unknown> =>
    new Promise((answered, failed) => {
      waiting.push({ answered, failed });
      stream.write(`${JSON.stringify({ execute })}\n`);
    });
  await call("qmp_capabilities");
  return {
    cpuThreads: async () =>
      cpuThreads
        .parse(await call("query-cpus-fast"))
        .toSorted((a, b) => a["cpu-index"] - b["cpu-index"])
        .map((cpu) => cpu["thread-id"]),
    start: async () => {
      await call("cont");
    },
  };
};
