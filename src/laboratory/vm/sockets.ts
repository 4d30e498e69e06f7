/** Unix sockets on which this process waits for QEMU, in a private folder that goes when they are closed. */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Sockets of one virtual machine. */
export interface Sockets {
  readonly path: (name: string) => string;
  /** The connection to a name; it comes when QEMU has started. */
  readonly connection: (name: string) => Promise<Socket>;
  readonly close: () => Promise<void>;
}

/** Waits at one socket for each name. */
export const openSockets = async (names: readonly string[]): Promise<Sockets> => {
  const folder = await mkdtemp(join(tmpdir(), "schbench-ts-vm-"));
  const path = (name: string): string => join(folder, name);
  const servers: Server[] = [];
  const connections = new Map<string, Promise<Socket>>();
  const sockets: Socket[] = [];
  for (const name of names) {
    const server = createServer();
    servers.push(server);
    connections.set(
      name,
      new Promise((resolve) => {
        server.once("connection", (socket) => {
          // Its end is told by QEMU's own end.
          socket.on("error", () => undefined);
          sockets.push(socket);
          resolve(socket);
        });
      }),
    );
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path(name), resolve);
    });
  }
  return {
    path,
    connection: (name) => connections.get(name) ?? Promise.reject(new RangeError(`no socket "${name}"`)),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      for (const server of servers) server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
