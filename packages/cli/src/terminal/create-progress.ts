import { canRedraw } from './can-redraw.ts';
import { createStatusLine } from './create-status-line.ts';
import { displayWidth } from './fit-text.ts';
import type { OutputOptions } from './output-options.ts';
import { visibleLine } from './visible-text.ts';

export interface ProgressOptions extends Pick<OutputOptions, 'process' | 'quiet'> {
  /** Current time in milliseconds, from any origin. */
  now: () => number;
  /** Formats the rate, such as `2,500 a second`. */
  formatRate: (countPerSecond: number) => string;
}

/** Progress of a command. */
export interface ProgressState {
  /** Text such as `5,000 memories`. */
  text: string;
  /** Count since the command started, for the rate. */
  count: number;
  /** Share from 0 to 1, including earlier runs; undefined if the total is unknown. */
  share?: number | undefined;
}

/** A progress line that is redrawn on a terminal. Elsewhere, a line is printed at intervals. */
export interface Progress {
  update(state: ProgressState): void;
  /** Replaces the progress by a text on the remaining work. */
  finish(text: string): void;
  /** Prints something else above the line, which stays. */
  printAbove(print: () => unknown): Promise<void>;
  /** Clears the line. Must be called at the end. */
  clear(): void;
}

const redrawMs = 100;
const plainLineMs = { terminal: 5000, elsewhere: 30_000 };
const barCells = { most: 24, least: 8 };
/** Below these columns, the bar would take the place of the counts. */
const narrowTerminal = 60;

/** Creates a progress line. Rate and remaining time are measured from this call. */
export function createProgress({ process, quiet, now, formatRate }: ProgressOptions): Progress {
  const { stderr } = process;
  const startedAt = now();
  const isRedrawn = canRedraw(process);
  const intervalMs = isRedrawn ? redrawMs : plainLineMs[stderr.isTTY ? 'terminal' : 'elsewhere'];
  let shownAt = startedAt;
  let shown: string | undefined;
  let firstShare: number | undefined;
  let latest: ProgressState | undefined;
  let timer: NodeJS.Timeout | undefined;

  const status = createStatusLine({ process, quiet });
  const show = (text: string) => {
    shown = text;
    if (isRedrawn) status.show(text);
    else stderr.write(`${visibleLine(text)}\n`);
  };
  const draw = () => {
    // A busy process can update before the timer of an earlier update fires.
    clearTimeout(timer);
    timer = undefined;
    if (latest === undefined) return;
    const { count, share } = latest;
    const text = visibleLine(latest.text);
    shownAt = now();
    const seconds = (shownAt - startedAt) / 1000;
    const rate = formatRate(count / seconds);
    const left = timeLeft(seconds, share, firstShare);
    const whole = [text, rate, ...left].join(', ');
    if (share === undefined) return show(whole);
    // One column is left free, because a terminal may wrap after the last.
    const columns = (stderr.columns || 80) - 1;
    const cells = Math.min(barCells.most, columns - displayWidth(bar(share, 0) + whole));
    if (isRedrawn && columns >= narrowTerminal - 1 && cells >= barCells.least) return show(bar(share, cells) + whole);
    // The remaining time says more than the rate.
    const lines = [whole, [text, ...left].join(', '), text].map((line) => `${percent(share)} ${line}`);
    show(lines.find((line) => !isRedrawn || displayWidth(line) <= columns) ?? (lines.at(-1) as string));
  };
  const stop = () => {
    latest = undefined;
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    update(state) {
      firstShare ??= state.share;
      if (quiet) return;
      latest = state;
      const waitMs = shownAt + intervalMs - now();
      if (waitMs <= 0) draw();
      // The last state is drawn even if none follows it.
      else timer ??= setTimeout(draw, waitMs).unref();
    },
    finish(text) {
      stop();
      if (shown !== undefined && isRedrawn) show(text);
    },
    async printAbove(print) {
      status.clear();
      await print();
      if (shown !== undefined) status.show(shown);
    },
    clear() {
      stop();
      shown = undefined;
      status.clear();
    },
  };
}

function bar(share: number, cells: number): string {
  const full = Math.round(Math.min(share, 1) * cells);
  return `${'█'.repeat(full)}${'░'.repeat(cells - full)} ${percent(share).padStart(5)}  `;
}

function percent(share: number): string {
  return `${Math.round(Math.min(share, 1) * 100)} %`;
}

function timeLeft(seconds: number, share: number | undefined, firstShare = 0): string[] {
  if (share === undefined || share <= firstShare || share > 1) return [];
  const left = Math.ceil((seconds / (share - firstShare)) * (1 - share));
  if (left < 60) return [`${left} s left`];
  return [left < 3600 ? `${Math.ceil(left / 60)} min left` : `${Math.ceil(left / 3600)} h left`];
}
