/**
 * An experiment's file: read, checked against what is about to run, and appended to. Each run is one line, written in
 * one call and forced to the disk, so a crash loses at most the line it was writing; that damaged last line is dropped
 * when the file is opened again. No upstream counterpart.
 */
import { UserError } from "../errors.js";
import type { LineBatch } from "../line-batches.js";
import { type ExperimentHeader, observationOf, type RunRecord } from "./record.js";
import { experimentReader, isExperiment, type StoredExperiment } from "./read-experiment.js";

/** The few file operations that a store needs. */
export interface StoreFiles {
  /**
   * Keeps all others from writing to a file, until what is returned is called or this process ends, however it does. Readers
   * are not kept out. Throws UserError that names who has the file.
   */
  readonly lock: (path: string) => Promise<() => Promise<void>>;
  /** Length of a file in bytes; 0: there is none. */
  readonly bytes: (path: string) => Promise<number>;
  /** By lines, in batches; null: there is no such file. */
  readonly read: (path: string) => Promise<AsyncIterable<LineBatch> | null>;
  readonly truncate: (path: string, bytes: number) => Promise<void>;
  /** Appends in one write and forces it to the disk. */
  readonly append: (path: string, text: string) => Promise<void>;
}

/** The parts of a header that must agree for a rerun to go on with a file. */
const IDENTITY = ["kind", "subjects", "cells", "rounds", "warmupRounds", "runsPerBoot", "seed"] as const;

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/** The parts in which two headers differ; empty when the one experiment continues the other. */
export const headerDifferences = (a: ExperimentHeader, b: ExperimentHeader): readonly string[] => [
  ...IDENTITY.filter((key) => canonical(a[key]) !== canonical(b[key])),
  ...(observationOf(a) === observationOf(b) ? [] : ["watch"]),
];

/** Is the asked experiment the stored one with more rounds? */
const isExtended = (stored: ExperimentHeader, asked: ExperimentHeader): boolean => asked.rounds > stored.rounds;

/** A file that is open for appending, and the runs it held already. */
export interface Store {
  readonly path: string;
  readonly header: ExperimentHeader;
  readonly records: readonly RunRecord[];
  readonly notes: readonly string[];
  readonly append: (record: RunRecord) => Promise<void>;
  /**
   * Does something while no other process may write to the file.
   *
   * @throws UserError when another one has it, or has written to it since it was opened
   */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

const locked = async <T>(path: string, files: StoreFiles, work: () => Promise<T>): Promise<T> => {
  const unlock = await files.lock(path);
  try {
    return await work();
  } finally {
    await unlock();
  }
};

/** The open file: knows how long it has made it, and so whether another has written to it. */
const storeOn = (
  path: string,
  files: StoreFiles,
  start: Pick<Store, "header" | "records" | "notes"> & { readonly bytes: number },
): Store => {
  let bytes = start.bytes;
  return {
    path,
    header: start.header,
    records: start.records,
    notes: start.notes,
    append: async (record) => {
      const line = lineOf(record);
      await files.append(path, line);
      bytes += Buffer.byteLength(line);
      const found = await files.bytes(path);
      // A device keeps nothing.
      if (found !== 0 && found !== bytes)
        throw new UserError(
          `"${path}" was removed, emptied or written to while this experiment kept its runs there`,
          "Keep other commands away from it, and begin again with another -o.",
        );
    },
    alone: (work) =>
      locked(path, files, async () => {
        const found = await files.bytes(path);
        // A device keeps nothing.
        if (found !== 0 && found !== bytes)
          throw new UserError(
            `cannot continue "${path}": another command has written to it since it was opened`,
            "Run this command again: it continues from what is stored.",
          );
        return work();
      }),
  };
};

const HEADER_START = '{"format":"schbench-ts/experiment"';

/** What a file holds; null: nothing, or the beginning of its first line. Throws UserError for what is no experiment. */
const readStored = async (path: string, batches: AsyncIterable<LineBatch>): Promise<StoredExperiment | null> => {
  const reader = experimentReader(path);
  const refuseOther = (isOurs: boolean): void => {
    if (!isOurs)
      throw new UserError(
        `cannot store runs in "${path}": it exists and is not an experiment`,
        "Name another file with -o.",
      );
  };
  let hasLine = false;
  let tail = "";
  for await (const batch of batches) {
    for (const line of batch.lines) {
      if (!hasLine) refuseOther(isExperiment(line));
      hasLine = true;
      reader.take(line);
    }
    ({ tail } = batch);
  }
  // A crash may have cut the very first line; what else has no line end is somebody's file.
  if (!hasLine) refuseOther(isExperiment(tail) || HEADER_START.startsWith(tail));
  return reader.end(tail);
};

const openLocked = async (
  path: string,
  header: ExperimentHeader,
  files: StoreFiles,
  admit: (records: readonly RunRecord[]) => Promise<void>,
): Promise<Store> => {
  const batches = await files.read(path);
  const stored = batches === null ? null : await readStored(path, batches);
  if (stored === null) {
    await admit([]);
    if (batches !== null) await files.truncate(path, 0);
    const line = lineOf(header);
    await files.append(path, line);
    return storeOn(path, files, { header, records: [], notes: [], bytes: Buffer.byteLength(line) });
  }
  // More rounds than were planned may be made; the order of each follows from the seed and its number alone.
  const continued = isExtended(stored.header, header) ? { ...stored.header, rounds: header.rounds } : stored.header;
  const differences = headerDifferences(continued, header);
  if (differences.length > 0)
    throw new UserError(
      `cannot continue "${path}": it holds another experiment (different ${differences.join(", ")})`,
      "Name another file with -o, or repeat the command that created this one.",
    );
  await admit(stored.records);
  if (stored.damaged) await files.truncate(path, stored.soundBytes);
  const notes = [
    ...(stored.damaged ? [`${path}: dropped a damaged last line; that run is repeated`] : []),
    ...(isExtended(stored.header, header)
      ? [
          `${path}: extended from ${stored.header.rounds} to ${header.rounds} runs of each subject; adding runs because of what you saw raises false alarms; --until decided allows for that`,
        ]
      : []),
  ];
  return storeOn(path, files, { header: continued, records: stored.records, notes, bytes: stored.soundBytes });
};

/**
 * Opens a new file, or one that this very experiment began.
 *
 * @param admit told which runs are there already, before anything is written; what it throws leaves the file as it was
 */
export const openStore = (
  path: string,
  header: ExperimentHeader,
  files: StoreFiles,
  admit: (records: readonly RunRecord[]) => Promise<void> = async () => undefined,
): Promise<Store> => locked(path, files, () => openLocked(path, header, files, admit));
