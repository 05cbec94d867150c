import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import type { CliProcess } from '../terminal/cli-process.ts';
import { InterruptedError } from '../terminal/interrupted-error.ts';
import { print } from '../terminal/print.ts';
import type { PagerOptions } from './format-option.ts';

/**
 * Prints a text, or the parts of a text. If it is taller than the terminal, a pager shows it.
 *
 * A pager gets its first page before the last part is read. Parts are read again if the pager cannot start.
 */
export async function printPaged(
  text: string | Iterable<string>,
  { process, pager, firstLine = 1 }: PagerOptions & { firstLine?: number | undefined },
  signal: AbortSignal,
): Promise<void> {
  const parts = typeof text === 'string' ? [text] : text;
  const command = pager === false ? undefined : pagerOf(process.env);
  if (
    command !== undefined &&
    (await isTooTall(process, parts)) &&
    (await page(process, parts, { command, firstLine }))
  )
    return;
  let whole = '';
  for (const part of parts) {
    await yieldToEventLoop();
    signal.throwIfAborted();
    whole += part;
  }
  await print(process, whole, signal);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the command of the pager; undefined if the environment disables it. */
export function pagerOf({ MEMORY_READ_PAGER, PAGER, TERM }: Environment): string | undefined {
  const command = (MEMORY_READ_PAGER ?? PAGER ?? 'less').trim();
  return TERM === 'dumb' || command === '' || command === 'cat' ? undefined : command;
}

async function isTooTall({ stdout }: CliProcess, parts: Iterable<string>): Promise<boolean> {
  const { isTTY, rows = 24, columns = 80 } = stdout;
  if (isTTY !== true) return false;
  // Help and usage errors do not need this code.
  const { displayWidth } = await import('../terminal/fit-text.ts');
  let taken = 0;
  for (const part of parts) {
    for (const line of part.replace(/\n$/, '').split('\n')) {
      taken += Math.max(1, Math.ceil(displayWidth(line) / columns));
      // One row is left for the prompt of the shell.
      if (taken >= rows) return true;
    }
  }
  return false;
}

/** Exit codes of a shell that cannot start a command. */
const notStarted = [126, 127];

/**
 * Returns false if the pager cannot start. Ctrl+C belongs to the pager, and SIGTERM ends both.
 *
 * @throws InterruptedError after SIGTERM.
 */
function page(
  process: CliProcess,
  parts: Iterable<string>,
  { command, firstLine }: { command: string; firstLine: number },
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const env = { LESS: firstLine > 1 ? `FRX+${firstLine}g` : 'FRX', LESSCHARSET: 'utf-8', LV: '-c', ...process.env };
    const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env });
    let isTerminated = false;
    const terminate = () => {
      isTerminated = true;
      child.kill();
    };
    process.on('SIGTERM', terminate);
    child.on('error', () => resolve(false));
    child.on('close', (code) => {
      process.off('SIGTERM', terminate);
      // The pager has restored the terminal first.
      if (isTerminated) reject(new InterruptedError('SIGTERM'));
      else resolve(!notStarted.includes(code ?? 0));
    });
    // A pager can end before it has read everything.
    pipeline(Readable.from(inBatches(parts)), child.stdin).catch(() => {});
  });
}

const batchLength = 16_384;

function* inBatches(parts: Iterable<string>): Generator<string> {
  let batch = '';
  for (const part of parts) {
    batch += part;
    if (batch.length < batchLength) continue;
    yield batch;
    batch = '';
  }
  if (batch !== '') yield batch;
}
