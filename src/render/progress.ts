/**
 * Progress of an experiment on stderr: on a terminal a table and one line that counts down, redrawn where they stand, elsewhere a line
 * for each run.
 * Upstream has no counterpart.
 */

/** What a display needs of a stream. */
export interface ProgressSink {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
}

/** Where an experiment stands. */
export interface ProgressState {
  /** The run in progress, from 1. */
  readonly number: number;
  readonly total: number;
  /** Such as `gcc, default, round 2`. */
  readonly what: string;
  /** Seconds until the end as estimated when the run began; null: not known. */
  readonly leftSec: number | null;
  /** Lines above it on a terminal; left out: none. */
  readonly table?: readonly string[];
}

/** A duration as people say it: `45 s`, `3 min 20 s`, `1 h 5 min`. */
export const durationText = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
};

/** One line about the run in progress, `sinceSec` after it began. */
export const progressLine = (state: ProgressState, sinceSec: number): string => {
  const width = String(state.total).length;
  const left = state.leftSec === null ? "" : `, about ${durationText(state.leftSec - sinceSec)} left`;
  return `[${String(state.number).padStart(width)}/${state.total}] ${state.what}${left}`;
};

/** A live display. */
export interface Progress {
  readonly begin: (state: ProgressState) => void;
  /** A line that stays, such as how a run ended. */
  readonly say: (line: string) => void;
  readonly end: () => void;
}

const CLEAR_LINE = "\r\u001B[K";
const CLEAR_BELOW = "\u001B[J";
const TICK_MSEC = 1000;

const up = (lines: number): string => (lines > 0 ? `\u001B[${lines}A` : "");

/** What stands on the terminal: the lengths of its lines. */
type Drawn = readonly number[];

/** So many lines above the last one; a terminal that has become narrower since has broken them. */
const linesAbove = (drawn: Drawn, columns: number): number =>
  drawn.reduce((sum, length) => sum + Math.max(1, Math.ceil(length / Math.max(1, columns))), 0) - 1;

const onTerminal = (sink: ProgressSink, nowMsec: () => number): Progress => {
  let timer: NodeJS.Timeout | null = null;
  let drawn: Drawn = [];
  const columns = (): number => sink.columns ?? 80;
  const back = (): string => (drawn.length === 0 ? "" : up(linesAbove(drawn, columns())));
  const stop = () => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const clear = () => {
    stop();
    if (drawn.length === 0) return;
    sink.write(`${back()}${CLEAR_LINE}${drawn.length > 1 ? CLEAR_BELOW : ""}`);
    drawn = [];
  };
  // In one piece, each line over the one that stands there: nothing flickers.
  const put = (lines: readonly string[]) => {
    const cut = lines.map((line) => line.slice(0, Math.max(0, columns() - 1)));
    const isLess = drawn.length > 1 && linesAbove(drawn, columns()) >= cut.length;
    sink.write(`${back()}${cut.map((line) => CLEAR_LINE + line).join("\n")}${isLess ? CLEAR_BELOW : ""}`);
    drawn = cut.map(({ length }) => length);
  };
  return {
    begin: (state) => {
      stop();
      const started = nowMsec();
      const draw = () => put([...(state.table ?? []), progressLine(state, (nowMsec() - started) / 1000)]);
      draw();
      timer = setInterval(draw, TICK_MSEC);
      timer.unref();
    },
    say: (line) => {
      clear();
      sink.write(`${line}\n`);
    },
    end: clear,
  };
};

const plain = (sink: ProgressSink): Progress => ({
  begin: (state) => sink.write(`${progressLine(state, 0)}\n`),
  say: (line) => sink.write(`${line}\n`),
  end: () => {},
});

/** The display that suits a sink; `quiet` shows nothing but what is said. */
export const progressOn = (sink: ProgressSink, quiet: boolean, nowMsec: () => number): Progress => {
  if (quiet) return { ...plain(sink), begin: () => {} };
  return sink.isTerminal ? onTerminal(sink, nowMsec) : plain(sink);
};
