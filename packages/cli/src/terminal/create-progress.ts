import { createStatusLine, type StatusLineOptions } from './create-status-line.ts';
import { visibleLine } from './visible-text.ts';

/** Options of {@link createProgress}. */
export interface ProgressOptions extends StatusLineOptions {
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
  /** Clears the line. Must be called before other output and at the end. */
  clear(): void;
}

const terminalIntervalMs = 100;
const plainIntervalMs = 30_000;
const barCells = 24;

/** Creates a progress line. Rate and remaining time are measured from this call. */
export function createProgress({ stream, now, formatRate, isQuiet = false }: ProgressOptions): Progress {
  const startedAt = now();
  const intervalMs = stream.isTTY ? terminalIntervalMs : plainIntervalMs;
  let shownAt = startedAt;
  let firstShare: number | undefined;

  const status = createStatusLine({ stream, isQuiet });
  const show = stream.isTTY ? status.show : (text: string) => void stream.write(`${visibleLine(text)}\n`);
  return {
    update({ text, count, share }) {
      firstShare ??= share;
      const time = now();
      if (isQuiet || time - shownAt < intervalMs) return;
      shownAt = time;
      const seconds = (time - startedAt) / 1000;
      const parts = [text, formatRate(count / seconds), ...timeLeft(seconds, share, firstShare)];
      show((share === undefined ? '' : `${stream.isTTY ? bar(share) : percent(share)} `) + parts.join(', '));
    },
    finish(text) {
      if (shownAt !== startedAt) status.show(text);
    },
    clear: status.clear,
  };
}

function bar(share: number): string {
  const full = Math.round(Math.min(share, 1) * barCells);
  return `${'█'.repeat(full)}${'░'.repeat(barCells - full)} ${percent(share).padStart(5)}`;
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
