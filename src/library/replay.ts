/** A log that any number of readers follow, each from its beginning: nothing is lost to one that comes late. */

/** What is written at one end and read at the other. */
export interface Replay<T> {
  readonly add: (item: T) => void;
  /** No more will come. Readers end; with an error they throw it, once they have read what came before. */
  readonly end: (error: Error | null) => void;
  readonly items: AsyncIterable<T>;
}

/** Creates an empty log. */
export const createReplay = <T>(): Replay<T> => {
  const kept: T[] = [];
  let ended: { readonly error: Error | null } | null = null;
  let waiting: readonly (() => void)[] = [];
  const wake = (): void => {
    const ready = waiting;
    waiting = [];
    ready.forEach((go) => go());
  };
  const changed = (): Promise<void> =>
    new Promise((resolve) => {
      waiting = [...waiting, resolve];
    });
  const isOver = (): boolean => ended !== null;

  async function* read(): AsyncGenerator<T, void> {
    let seen = 0;
    for (;;) {
      const fresh = kept.slice(seen);
      seen += fresh.length;
      yield* fresh;
      if (seen < kept.length) continue;
      if (ended?.error) throw ended.error;
      if (isOver()) return;
      await changed();
    }
  }
  return {
    add: (item) => {
      kept.push(item);
      wake();
    },
    end: (error) => {
      ended ??= { error };
      wake();
    },
    items: { [Symbol.asyncIterator]: read },
  };
};
