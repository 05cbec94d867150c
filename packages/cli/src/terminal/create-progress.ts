import { createStatusLine, type StatusLineOptions } from './create-status-line.ts';
import { visibleLine } from './visible-text.ts';

/** Where progress is shown, and how. */
export interface ProgressOptions extends StatusLineOptions {
  /** Milliseconds, of any beginning. */
  now: () => number;
  /** The rate, for people, such as `2,500 a second`. */
  formatRate: (countPerSecond: number) => string;
}

/** How far a command is. */
export interface ProgressState {
  /** For people, such as `5,000 memories`. */
  text: string;
  /** What the rate counts, since this command began. */
  count: number;
  /** From 0 to 1, with what earlier runs did; undefined where the end is not known. */
  share?: number | undefined;
}

/** One line on a terminal that tells how far a command is, redrawn in place; elsewhere a line now and then. */
export interface Progress {
  update(state: ProgressState): void;
  /** Says what is left to do, in place of how far it is. */
  finish(text: string): void;
  /** Takes the line away, before something else is written and at the end. */
  clear(): void;
}

const terminalIntervalMs = 100;
const plainIntervalMs = 30_000;
const barCells = 24;

/** Begins to count at once: rate and time left are those since then. */
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
