/** An sshd of the test's own, on the loopback, with keys made for it; null where ssh or sshd is not installed. */
import { execFileSync, spawn } from "node:child_process";
import { accessSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A running sshd. */
export interface OwnSshd {
  /** What starts a command through it: `ssh …`. */
  readonly prefix: readonly string[];
  readonly stop: () => void;
}

const SSHD = "/usr/sbin/sshd";

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("close", () => socket.destroy());
    setTimeout(() => socket.destroy(), 200).unref();
  });

const isInstalled = (): boolean => {
  try {
    accessSync(SSHD);
    execFileSync("ssh", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** Starts one. */
export const startSshd = async (): Promise<OwnSshd | null> => {
  if (!isInstalled()) return null;
  // sshd of root changes into it; nobody else needs it.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "own-sshd-"));
  for (const name of ["host", "user"])
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, name)]);
  const port = await freePort();
  writeFileSync(
    join(folder, "sshd_config"),
    [
      `Port ${port}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${folder}/host`,
      `AuthorizedKeysFile ${folder}/user.pub`,
      "PidFile none",
      "StrictModes no",
      "UsePAM no",
      "PasswordAuthentication no",
      "",
    ].join("\n"),
  );
  const daemon = spawn(SSHD, ["-D", "-e", "-f", join(folder, "sshd_config")], { stdio: "ignore" });
  for (let tries = 0; tries < 100 && !(await answers(port)); tries++) await sleep(50);
  const options = ["BatchMode=yes", "StrictHostKeyChecking=no", `UserKnownHostsFile=${folder}/known`, "LogLevel=ERROR"];
  return {
    prefix: [
      "ssh",
      "-F",
      "none",
      "-p",
      String(port),
      "-i",
      join(folder, "user"),
      ...options.flatMap((option) => ["-o", option]),
      `${userInfo().username}@127.0.0.1`,
    ],
    stop: () => {
      daemon.kill();
      rmSync(folder, { recursive: true });
    },
  };
};
