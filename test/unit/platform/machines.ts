/**
 * Whole machines as tables of files: what the readers of /proc and /sys are tested against. Written by hand after the
 * formats that the kernel documents; a path that ends in a slash is an empty folder.
 */
import type { Files } from "../../../src/platform/files.js";

export type FileTree = Readonly<Record<string, string>>;

/** A machine that has exactly these files. */
export const filesOf = (tree: FileTree): Files => {
  const paths = Object.keys(tree);
  const readText = (path: string, maxBytes = Number.POSITIVE_INFINITY): string | null =>
    tree[path]?.slice(0, maxBytes) ?? null;
  return {
    readText,
    readGzipText: readText,
    list: (folder) => [
      ...new Set(
        paths
          .filter((path) => path.startsWith(`${folder}/`) && path !== `${folder}/`)
          .map((path) => path.slice(folder.length + 1).split("/")[0] ?? ""),
      ),
    ],
    exists: (path) => paths.some((other) => other === path || other.startsWith(`${path}/`)),
  };
};

const CGROUP2 = "25 24 0:22 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";

const status = (cpus: string, uid = "1000", capabilities = "0000000000000000"): string =>
  `Name:\tnode\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\nThreads:\t7\nCapEff:\t${capabilities}\n` +
  `Cpus_allowed:\tff\nCpus_allowed_list:\t${cpus}\n` +
  "voluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n";

const limits = (processes: string): string =>
  "Limit                     Soft Limit           Hard Limit           Units     \n" +
  `Max processes             ${processes.padEnd(20)} ${processes.padEnd(20)} processes \n`;

const cpuFolders = (ids: readonly number[], governor: string): FileTree =>
  Object.fromEntries(ids.map((id) => [`/sys/devices/system/cpu/cpu${id}/cpufreq/scaling_governor`, `${governor}\n`]));

/** Two sockets without gaps, every second CPU a sibling; quiet, tuned for measuring. */
export const BARE_METAL_INTEL: FileTree = {
  "/proc/sys/kernel/hostname": "rack7\n",
  "/proc/sys/kernel/osrelease": "6.12.9-200.fc41.x86_64\n",
  "/proc/cpuinfo":
    "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\n" +
    "model name\t: Intel(R) Xeon(R) Platinum 8480+\nflags\t\t: fpu vme tsc constant_tsc nonstop_tsc avx512f\n\nprocessor\t: 1\n",
  "/proc/self/status": status("0-7", "0"),
  "/proc/self/limits": limits("514382"),
  "/proc/self/cgroup": "0::/user.slice/user-0.slice/session-1.scope\n",
  "/proc/self/mountinfo": `24 1 8:1 / / rw - ext4 /dev/sda1 rw\n${CGROUP2}`,
  "/proc/self/schedstat": "9000000 1000 5\n",
  "/proc/self/timerslack_ns": "50000\n",
  "/proc/loadavg": "0.02 0.10 0.09 1/412 9001\n",
  "/proc/meminfo": "MemTotal:       263700000 kB\nMemFree:        250000000 kB\nMemAvailable:   260000000 kB\n",
  "/proc/stat": "cpu  100 0 50 9000 10 0 1 0 0 0\ncpu0 50 0 25 4500 5 0 0 0 0 0\n",
  "/proc/pressure/cpu": "some avg10=0.00 avg60=0.00 avg300=0.00 total=5000000\n",
  "/proc/sys/kernel/threads-max": "2059000\n",
  "/proc/sys/kernel/pid_max": "4194304\n",
  "/proc/sys/kernel/numa_balancing": "0\n",
  "/sys/devices/system/node/online": "0-1\n",
  "/sys/devices/system/cpu/online": "0-7\n",
  "/sys/devices/system/cpu/smt/control": "off\n",
  "/sys/devices/system/cpu/smt/active": "0\n",
  "/sys/devices/system/cpu/intel_pstate/no_turbo": "1\n",
  "/sys/devices/system/cpu/cpuidle/current_driver": "intel_idle\n",
  "/sys/devices/system/cpu/cpu0/cpuidle/state0/name": "POLL\n",
  "/sys/devices/system/cpu/cpu0/cpuidle/state0/latency": "0\n",
  "/sys/devices/system/cpu/cpu0/cpuidle/state0/disable": "0\n",
  "/sys/devices/system/cpu/cpu0/cpuidle/state1/name": "C1\n",
  "/sys/devices/system/cpu/cpu0/cpuidle/state1/latency": "1\n",
  "/sys/devices/system/cpu/cpu0/cpuidle/state1/disable": "0\n",
  "/sys/devices/system/cpu/cpu0/cpuidle/state2/name": "C6\n",
  "/sys/devices/system/cpu/cpu0/cpuidle/state2/latency": "290\n",
  "/sys/devices/system/cpu/cpu0/cpuidle/state2/disable": "1\n",
  "/sys/devices/system/cpu/vulnerabilities/meltdown": "Not affected\n",
  "/sys/devices/system/cpu/vulnerabilities/spectre_v2": "Mitigation: Enhanced / Automatic IBRS\n",
  "/sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc hpet acpi_pm \n",
  "/sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
  "/sys/class/dmi/id/sys_vendor": "Dell Inc.\n",
  "/sys/class/dmi/id/product_name": "PowerEdge R760\n",
  "/sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
  "/sys/kernel/sched_ext/state": "disabled\n",
  "/sys/kernel/sched_ext/switch_all": "0\n",
  "/sys/kernel/sched_ext/nr_rejected": "0\n",
  "/sys/kernel/sched_ext/enable_seq": "3\n",
  "/proc/config.gz":
    "CONFIG_HZ=1000\nCONFIG_PREEMPT_DYNAMIC=y\nCONFIG_SCHED_INFO=y\nCONFIG_SCHEDSTATS=y\n# CONFIG_KASAN is not set\n",
  ...cpuFolders([0, 1, 2, 3, 4, 5, 6, 7], "performance"),
};

/** A small cloud machine with noisy neighbours: the hypervisor is not named by firmware, only by its clock. */
export const AMD_VM: FileTree = {
  "/proc/sys/kernel/hostname": "vm\n",
  "/proc/sys/kernel/osrelease": "6.18.4\n",
  "/proc/cpuinfo":
    "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC\nflags\t\t: fpu vme hypervisor lahf_lm\n\n",
  "/proc/self/status": status("0-1", "0"),
  "/proc/self/limits": limits("96365"),
  "/proc/self/cgroup": "0::/\n",
  "/proc/self/mountinfo": CGROUP2,
  "/proc/self/schedstat": "261474092 695318 45\n",
  "/proc/self/timerslack_ns": "50000\n",
  "/proc/loadavg": "0.61 0.30 0.12 3/107 7614\n",
  "/proc/meminfo": "MemTotal:       24684092 kB\nMemFree:        23357972 kB\nMemAvailable:   24031236 kB\n",
  "/proc/stat": "cpu  8989 0 6180 142672 745 0 126 421 0 0\ncpu0 3410 0 2572 73244 97 0 20 199 0 0\n",
  "/proc/pressure/cpu":
    "some avg10=12.77 avg60=4.17 avg300=1.92 total=19913970\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
  "/proc/sys/kernel/threads-max": "192730\n",
  "/proc/sys/kernel/pid_max": "32768\n",
  "/sys/devices/system/node/online": "0\n",
  "/sys/devices/system/cpu/online": "0-1\n",
  "/sys/devices/system/cpu/smt/control": "notsupported\n",
  "/sys/devices/system/cpu/smt/active": "0\n",
  "/sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc kvm-clock \n",
  "/sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
  "/sys/devices/system/cpu/cpuidle/current_driver": "haltpoll\n",
  "/sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never\n",
};

/** A container with a namespace of its own on version 2: half a CPU more than one, 512 MiB, 100 threads. */
export const CONTAINER: FileTree = {
  ...BARE_METAL_INTEL,
  "/proc/sys/kernel/hostname": "3f2a9c\n",
  "/proc/self/status": status("0-7", "1000"),
  "/proc/self/cgroup": "0::/\n",
  "/proc/self/mountinfo": `700 600 0:30 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup ro\n`,
  "/sys/fs/cgroup/cpu.max": "150000 100000\n",
  "/sys/fs/cgroup/cpu.stat": "usage_usec 900000\nnr_periods 20\nnr_throttled 4\nthrottled_usec 120000\n",
  "/sys/fs/cgroup/memory.max": "536870912\n",
  "/sys/fs/cgroup/memory.current": "436870912\n",
  "/sys/fs/cgroup/memory.stat": "anon 100000000\nfile 300000000\ninactive_file 200000000\n",
  "/sys/fs/cgroup/pids.max": "100\n",
  "/sys/fs/cgroup/pids.current": "98\n",
};

/** A container of version 1 without a namespace: the paths are the host's, the mounts show the container's part only. */
export const CGROUP_V1: FileTree = {
  ...BARE_METAL_INTEL,
  "/proc/self/cgroup":
    "5:memory:/docker/ab12\n4:cpu,cpuacct:/docker/ab12\n3:pids:/docker/ab12\n1:name=systemd:/docker/ab12\n",
  "/proc/self/mountinfo":
    "31 30 0:31 /docker/ab12 /sys/fs/cgroup/cpu,cpuacct ro,nosuid - cgroup cgroup rw,cpu,cpuacct\n" +
    "32 30 0:32 /docker/ab12 /sys/fs/cgroup/memory ro,nosuid - cgroup cgroup rw,memory\n" +
    "33 30 0:33 /docker/ab12 /sys/fs/cgroup/pids ro,nosuid - cgroup cgroup rw,pids\n",
  "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "50000\n",
  "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
  "/sys/fs/cgroup/cpu,cpuacct/cpu.stat": "nr_periods 9\nnr_throttled 2\nthrottled_time 3500000\n",
  "/sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824\n",
  "/sys/fs/cgroup/memory/memory.usage_in_bytes": "73741824\n",
  "/sys/fs/cgroup/memory/memory.stat": "cache 5000\ntotal_inactive_file 0\n",
  "/sys/fs/cgroup/pids/pids.max": "max\n",
};

/** An Arm server in the cloud, bare metal, CPUs with gaps, no frequency scaling, no firmware names beyond the cloud's. */
export const ARM64: FileTree = {
  "/proc/sys/kernel/hostname": "arm\n",
  "/proc/sys/kernel/osrelease": "6.1.0-28-arm64\n",
  "/proc/cpuinfo":
    "processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\n" +
    "CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n\n",
  "/proc/self/status": status("0,2,8-11", "1000"),
  "/proc/self/limits": limits("200"),
  "/proc/self/cgroup": "0::/a/b\n",
  "/proc/self/mountinfo": CGROUP2,
  "/proc/self/schedstat": "0 0 0\n",
  "/proc/loadavg": "4.10 3.30 2.12 5/300 7614\n",
  "/proc/meminfo": "MemTotal:       8000000 kB\nMemAvailable:   6000000 kB\n",
  "/proc/7/status": status("0-11", "1000"),
  "/proc/8/status": status("0-11", "0"),
  "/proc/9/status": status("0-11", "1000"),
  "/sys/devices/system/cpu/online": "0,2,8-11\n",
  "/sys/class/dmi/id/sys_vendor": "Amazon EC2\n",
  "/sys/class/dmi/id/product_name": "a1.metal\n",
  "/sys/fs/cgroup/a/b/cpu.max": "max 100000\n",
  "/sys/fs/cgroup/a/cpu.max": "300000 100000\n",
};

/** A machine under a sched_ext scheduler. */
export const SCHED_EXT: FileTree = {
  ...BARE_METAL_INTEL,
  "/sys/kernel/sched_ext/state": "enabled\n",
  "/sys/kernel/sched_ext/root/ops": "lavd_1.0.9_x86_64_unknown_linux_gnu\n",
  "/sys/kernel/sched_ext/switch_all": "1\n",
  "/sys/kernel/sched_ext/enable_seq": "4\n",
};
