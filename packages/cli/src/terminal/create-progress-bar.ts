/** Where a {@link ProgressBar} is drawn, and what of. */
export interface ProgressBarOptions {
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;
  /** Milliseconds, of any beginning. */
  now: () => number;
  /** Bytes that there are to read, where that is known. */
  total?: number | undefined;
}

/** One line on a terminal that tells how far a command is; nothing anywhere else. */
export interface ProgressBar {
  update(progress: { bytes: number; items: number }): void;
  /** Says what is left to do, in place of how far it is. */
  finish(text: string): void;
  /** Takes the line away. */
  clear(): void;
}

const intervalMs = 100;
const cells = 24;
const returnAndErase = '\r\x1b[K';

export function createProgressBar({ stream, now, total }: ProgressBarOptions): ProgressBar {
  if (!stream.isTTY) return { update() {}, finish() {}, clear() {} };
  const startedAt = now();
  let drawnAt = startedAt;
  return {
    update({ bytes, items }) {
      const time = now();
      if (time - drawnAt < intervalMs) return;
      drawnAt = time;
      const seconds = (time - startedAt) / 1000;
      const rate = `${format(items)} memories, ${format(items / seconds)} a second`;
      stream.write(returnAndErase + (total ? `${bar(bytes / total)} ${rate}${timeLeft(bytes, total, seconds)}` : rate));
    },
    finish(text) {
      if (drawnAt !== startedAt) stream.write(returnAndErase + text);
    },
    clear() {
      if (drawnAt !== startedAt) stream.write(returnAndErase);
    },
  };
}

function bar(share: number): string {
  const full = Math.round(Math.min(share, 1) * cells);
  const percent = Math.floor(Math.min(share, 1) * 100);
  return `${'█'.repeat(full)}${'░'.repeat(cells - full)} ${String(percent).padStart(3)} %`;
}

function timeLeft(bytes: number, total: number, seconds: number): string {
  const left = Math.ceil((seconds / bytes) * (total - bytes));
  if (!Number.isFinite(left) || left < 0) return '';
  return left < 60 ? `, ${left} s left` : `, ${Math.ceil(left / 60)} min left`;
}

function format(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}
