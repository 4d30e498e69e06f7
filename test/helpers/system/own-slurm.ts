/** A Slurm of the test's own: three virtual nodes on this machine, on the loopback; null where it is not installed or not allowed. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { accessSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A running Slurm. */
export interface OwnSlurm {
  /** For whoever calls its commands. */
  readonly env: Readonly<Record<string, string>>;
  readonly nodes: readonly string[];
  /** The node stops at once with all that runs on it, as in a power loss. */
  readonly kill: (node: string) => void;
  /** Boots a node that was killed. */
  readonly boot: (node: string) => void;
  readonly stop: () => void;
}

const NODES = ["n1", "n2", "n3"] as const;
const DAEMONS = ["/usr/sbin/munged", "/usr/sbin/slurmctld", "/usr/sbin/slurmd"] as const;

/** Why there can be none; null: there can. */
export const slurmMissing = (): string | null => {
  if (process.getuid?.() !== 0) return "needs root";
  try {
    DAEMONS.forEach((daemon) => accessSync(daemon));
    return null;
  } catch {
    return "needs Slurm and Munge (slurm-wlm, munge)";
  }
};

const configuration = (folder: string, port: number): string => {
  const host = hostname().split(".")[0] ?? "";
  return [
    "ClusterName=test",
    `SlurmctldHost=${host}(127.0.0.1)`,
    `SlurmctldPort=${port}`,
    "SlurmUser=root",
    "SlurmdUser=root",
    "AuthType=auth/munge",
    `AuthInfo=socket=${folder}/munge.sock`,
    "CredType=cred/munge",
    "ProctrackType=proctrack/linuxproc",
    "TaskPlugin=task/none",
    "JobAcctGatherType=jobacct_gather/none",
    "AccountingStorageType=accounting_storage/none",
    "SelectType=select/cons_tres",
    "SelectTypeParameters=CR_Core",
    "ReturnToService=2",
    "SlurmdTimeout=6",
    "KillWait=5",
    `StateSaveLocation=${folder}/state`,
    `SlurmdSpoolDir=${folder}/spool/%n`,
    `SlurmctldPidFile=${folder}/ctld.pid`,
    `SlurmdPidFile=${folder}/%n.pid`,
    `SlurmctldLogFile=${folder}/ctld.log`,
    `SlurmdLogFile=${folder}/%n.log`,
    `NodeName=n[1-3] NodeHostname=${host} NodeAddr=127.0.0.1 Port=[${port + 1}-${port + 3}] CPUs=1`,
    "PartitionName=all Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP",
    "",
  ].join("\n");
};

/** Processes of tasks on a node, and those that watch over them. */
const pidsOf = (node: string, conf: string): readonly number[] =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .filter((pid) => {
      try {
        const env = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
        return env.includes(`SLURMD_NODENAME=${node}`) && env.includes(`SLURM_CONF=${conf}`);
      } catch {
        return false;
      }
    })
    .map(Number);

const parentOf = (pid: number): number => {
  try {
    return Number(/^.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
};

const isStepDaemon = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("slurmstepd");
  } catch {
    return false;
  }
};

const killNow = (pids: readonly number[]): void => {
  for (const pid of pids)
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It is gone already.
    }
};

/** Starts one and waits until its nodes are idle. */
export const startSlurm = async (): Promise<OwnSlurm | null> => {
  if (slurmMissing() !== null) return null;
  const folder = mkdtempSync(join(tmpdir(), "own-slurm-"));
  for (const name of ["state", "spool"]) mkdirSync(join(folder, name));
  const conf = join(folder, "slurm.conf");
  writeFileSync(join(folder, "munge.key"), Buffer.alloc(128, process.pid.toString()), { mode: 0o600 });
  writeFileSync(conf, configuration(folder, 20_000 + (process.pid % 10_000) * 4));
  const env = { SLURM_CONF: conf };
  const daemons = new Map<string, ChildProcess>();
  const start = (name: string, program: string, ...args: readonly string[]): void => {
    daemons.set(name, spawn(program, args, { stdio: "ignore", env: { ...process.env, ...env } }));
  };
  const munge = ["key-file", "socket", "pid-file", "log-file", "seed-file"] as const;
  const fileOf = {
    "key-file": "munge.key",
    socket: "munge.sock",
    "pid-file": "munge.pid",
    "log-file": "munge.log",
    "seed-file": "munge.seed",
  } as const;
  start(
    "munged",
    DAEMONS[0],
    "--foreground",
    "--force",
    ...munge.map((name) => `--${name}=${join(folder, fileOf[name])}`),
  );
  await sleep(200);
  start("slurmctld", DAEMONS[1], "-D");
  const boot = (node: string): void => start(node, DAEMONS[2], "-D", "-N", node);
  NODES.forEach(boot);
  const idle = (): string => {
    try {
      return execFileSync("sinfo", ["-h", "-N", "-o", "%T"], {
        env: { ...process.env, ...env },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
    } catch {
      return "";
    }
  };
  for (let tries = 0; tries < 100 && idle().trim() !== NODES.map(() => "idle").join("\n"); tries++) await sleep(100);
  return {
    env,
    nodes: NODES,
    boot,
    kill: (node) => {
      daemons.get(node)?.kill("SIGKILL");
      const tasks = pidsOf(node, conf);
      killNow([...tasks.map(parentOf).filter(isStepDaemon), ...tasks]);
    },
    stop: () => {
      for (const node of NODES) killNow(pidsOf(node, conf));
      daemons.forEach((daemon) => daemon.kill("SIGTERM"));
      setTimeout(() => rmSync(folder, { recursive: true, force: true }), 500);
    },
  };
};
