/**
 * Progress of an experiment on stderr: on a terminal one line that counts down, elsewhere a line for each run that is done.
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
const TICK_MSEC = 1000;

const onTerminal = (sink: ProgressSink, nowMsec: () => number): Progress => {
  let timer: NodeJS.Timeout | null = null;
  const clear = () => {
    if (timer === null) return;
    clearInterval(timer);
    timer = null;
    sink.write(CLEAR_LINE);
  };
  return {
    begin: (state) => {
      clear();
      const started = nowMsec();
      const draw = () => {
        const line = progressLine(state, (nowMsec() - started) / 1000);
        sink.write(CLEAR_LINE + line.slice(0, (sink.columns ?? 80) - 1));
      };
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
