/**
 * The figures of a fingerprint: the one list behind `--details`, the rows of `validate` and the metrics that `--metrics`
 * takes by name. No upstream counterpart.
 */
import type { Fingerprint, Role, RoleFingerprint } from "../result/fingerprint.js";
import type { RunResult } from "../result/run-result.js";

/** What there is to know about a figure. */
export interface FigureDefinition {
  /** Stable name, as on the command line and in JSON. */
  readonly id: string;
  /** As in a table, without the unit. */
  readonly label: string;
  readonly unit: FigureUnit;
  readonly role: Role;
  /**
   * Where it comes from: files of /proc, read around every run; the processor's counters, where the kernel gives them to
   * this user; the kernel's trace, with `--fingerprint` only.
   */
  readonly source: "proc" | "processor" | "trace";
  /** `neither`: a change is a fact about the scheduler, not a loss or a gain by itself. */
  readonly better: "lower" | "higher" | "neither";
  /** Relative difference below which a difference is of no consequence. */
  readonly noiseFloor: number;
  /** The same in the figure's own unit: what decides where a figure is near 0. */
  readonly absoluteFloor: number;
  /** The value of one run; null where the run does not have it. */
  readonly read: (result: RunResult) => number | null;
}

/** The units of figures. */
export type FigureUnit = "per request" | "per s" | "usec per request" | "share" | "count";

interface Kind {
  readonly unit: FigureUnit;
  readonly source: FigureDefinition["source"];
  readonly better: FigureDefinition["better"];
  readonly noiseFloor: number;
  readonly absoluteFloor: number;
}

const PER_REQUEST = { unit: "per request", better: "neither", noiseFloor: 0.02, absoluteFloor: 0.02 } as const;
/** Time, instructions and cycles scatter with caches and clocks; a rate of moves is an affair of chance. */
const TIME = {
  unit: "usec per request",
  source: "proc",
  better: "lower",
  noiseFloor: 0.02,
  absoluteFloor: 0.1,
} as const;
const PROCESSOR = {
  unit: "per request",
  source: "processor",
  better: "lower",
  noiseFloor: 0.02,
  absoluteFloor: 10,
} as const;
const MOVES = { unit: "per s", source: "proc", better: "neither", noiseFloor: 0.1, absoluteFloor: 2 } as const;
const FAULTS = { unit: "count", source: "proc", better: "lower", noiseFloor: 0.1, absoluteFloor: 50 } as const;
const SHARE = { unit: "share", better: "neither", noiseFloor: 0.05, absoluteFloor: 0.05 } as const;

const ROLES = {
  message: (fingerprint: Fingerprint) => fingerprint.message,
  worker: (fingerprint: Fingerprint) => fingerprint.worker,
} as const satisfies Record<Role, (fingerprint: Fingerprint) => RoleFingerprint | null>;

const of = <Name extends string, R extends Role>(
  role: R,
  name: Name,
  label: string,
  kind: Kind,
  read: (role: RoleFingerprint) => number | null,
) => ({
  id: `${role}-${name}` as const,
  label: `${role} ${label}`,
  role,
  ...kind,
  read: ({ fingerprint }: RunResult) => {
    const part = fingerprint === null ? null : ROLES[role](fingerprint);
    return part === null ? null : read(part);
  },
});

/** One kind of system call; 0 where calls were traced and none was of this kind. */
const calls = (role: RoleFingerprint, ...names: readonly string[]): number | null => {
  const { systemCallsPerRequest } = role;
  if (systemCallsPerRequest === null) return null;
  const known = new Map(Object.entries(systemCallsPerRequest));
  return names.reduce((sum, name) => sum + (known.get(name) ?? 0), 0);
};

const allCalls = ({ systemCallsPerRequest }: RoleFingerprint): number | null =>
  systemCallsPerRequest === null
    ? null
    : Object.values(systemCallsPerRequest).reduce((sum, perRequest) => sum + perRequest, 0);

const counted = { ...PER_REQUEST, source: "proc" } as const;
const traced = { ...PER_REQUEST, source: "trace" } as const;
const crossing = { ...SHARE, source: "trace" } as const;

const figuresOf = <R extends Role>(role: R) =>
  [
    of(role, "voluntary-switches", "voluntary switches", counted, (part) => part.voluntarySwitchesPerRequest),
    of(role, "involuntary-switches", "involuntary switches", counted, (part) => part.involuntarySwitchesPerRequest),
    of(role, "migrations", "migrations", MOVES, (part) => part.migrationsPerSec),
    of(role, "minor-faults", "minor faults", FAULTS, (part) => part.minorFaults),
    of(role, "user-time", "user time", TIME, (part) => part.userUsecPerRequest),
    of(role, "system-time", "system time", TIME, (part) => part.systemUsecPerRequest),
    of(role, "instructions", "instructions", PROCESSOR, (part) => part.instructionsPerRequest),
    of(role, "cycles", "cycles", PROCESSOR, (part) => part.cyclesPerRequest),
    of(role, "wakeups", "wakeups", traced, (part) => part.wakeupsPerRequest),
    of(role, "crossing-wakeups", "wakeups that cross CPUs", crossing, (part) => part.crossingShare),
    of(role, "system-calls", "system calls", traced, allCalls),
    of(role, "futex-calls", "futex calls", traced, (part) => calls(part, "futex")),
    of(role, "sleep-calls", "sleep calls", traced, (part) => calls(part, "clock_nanosleep", "nanosleep")),
  ] as const;

const beside = <Name extends string>(name: Name, label: string, read: (fingerprint: Fingerprint) => number | null) =>
  ({
    id: `worker-${name}`,
    label: `worker beside its message thread, ${label}`,
    role: "worker",
    ...SHARE,
    source: "proc",
    read: ({ fingerprint }: RunResult) => (fingerprint === null ? null : read(fingerprint)),
  }) as const;

/** How the run began: in the C program every message thread creates its own workers. */
const createdByMessage = {
  id: "worker-created-by-message",
  label: "worker created by a message thread",
  role: "worker",
  ...SHARE,
  source: "trace",
  read: ({ fingerprint }: RunResult) => fingerprint?.createdByMessage ?? null,
} as const;

/** Every figure, in the order of a table. */
export const FINGERPRINT_FIGURES = [
  ...figuresOf("message"),
  ...figuresOf("worker"),
  createdByMessage,
  beside("beside-message-start", "at the start", ({ besideMessage }) => besideMessage.atStart),
  beside("beside-message-mean", "on average", ({ besideMessage }) => besideMessage.mean),
  beside("beside-message-end", "at the end", ({ besideMessage }) => besideMessage.atEnd),
] as const satisfies readonly FigureDefinition[];

/** The name of a figure. */
export type FigureId = (typeof FINGERPRINT_FIGURES)[number]["id"];

const BY_ID: ReadonlyMap<string, FigureDefinition> = new Map(FINGERPRINT_FIGURES.map((figure) => [figure.id, figure]));

/** Is this text the name of a figure? */
export const isFigureId = (text: string): text is FigureId => BY_ID.has(text);

/** The definition of a figure. */
export const figureOf = (id: FigureId): FigureDefinition => {
  const figure = BY_ID.get(id);
  if (figure === undefined) throw new TypeError(`no figure "${id}"`);
  return figure;
};
