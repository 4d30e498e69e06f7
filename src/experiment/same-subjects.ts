/** Several files that hold the same subjects, as one experiment on several machines leaves: their runs are put together, file by file. Pure. */
import { UserError } from "../errors.js";

/** A subject in a file. */
interface Held {
  readonly name: string;
  /** null: the file knows no cells. */
  readonly cell: string | null;
}

const keyOf = ({ name, cell }: Held): string => JSON.stringify([name, cell]);

/** The last part of a path, without its ending. */
const shortOf = (path: string): string => path.replace(/^.*\//u, "").replace(/\.[A-Za-z]\w*$/u, "");

/** Takes the subjects of one file after the other. */
export interface SubjectFiles {
  /**
   * The next file's subjects.
   *
   * @throws UserError when it has one that another file has, and not all of them
   */
  readonly add: (file: string, subjects: readonly Held[]) => void;
  /** A name for each file that shares its subjects with another, as short as can be. */
  readonly names: () => ReadonlyMap<string, string>;
}

/** None yet. */
export const subjectFiles = (): SubjectFiles => {
  const files = new Map<string, string>();
  const owners = new Map<string, string>();
  const shared = new Set<string>();
  return {
    add: (file, subjects) => {
      const all = subjects.map(keyOf).toSorted().join();
      for (const one of subjects) {
        const owner = owners.get(keyOf(one));
        if (owner === undefined) owners.set(keyOf(one), file);
        else if (owner !== file) {
          // One subject alone is a subject of its own in each file, and two of them cannot have one name.
          if (subjects.length < 2 || files.get(owner) !== all)
            throw new UserError(
              `two files have a subject called "${one.name}": names must differ, or all subjects of the files agree`,
              `Name one of them, as in new=${file}.`,
            );
          shared.add(owner).add(file);
        }
      }
      files.set(file, all);
    },
    names: () => {
      const short = [...shared].map(shortOf);
      const isShort = new Set(short).size === shared.size;
      return new Map([...shared].map((file) => [file, isShort ? shortOf(file) : file]));
    },
  };
};
