import { spawn } from 'node:child_process';
import { print } from '../terminal/print.ts';
import type { FormatOptions } from './format-option.ts';

/** Prints a text. If it is taller than the terminal, a pager shows it. */
export async function printPaged(text: string, { pager }: FormatOptions, signal: AbortSignal): Promise<void> {
  const command = pager === false ? undefined : pagerOf(process.env);
  if (command !== undefined && (await isTooTall(text)) && (await page(text, command))) return;
  await print(text, signal);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the command of the pager; undefined if the environment wants none. */
export function pagerOf({ MEMORY_READ_PAGER, PAGER, TERM }: Environment): string | undefined {
  const command = (MEMORY_READ_PAGER ?? PAGER ?? 'less').trim();
  return TERM === 'dumb' || command === '' || command === 'cat' ? undefined : command;
}

async function isTooTall(text: string): Promise<boolean> {
  const { isTTY, rows = 24, columns = 80 } = process.stdout;
  if (isTTY !== true) return false;
  // Help and usage errors do not need this code.
  const { displayWidth } = await import('../terminal/fit-text.ts');
  let taken = 0;
  for (const line of text.trimEnd().split('\n')) {
    taken += Math.max(1, Math.ceil(displayWidth(line) / columns));
    // The prompt of the shell needs a row.
    if (taken >= rows) return true;
  }
  return false;
}

/** Exit codes of a shell that cannot start a command. */
const notStarted = [126, 127];

/** Returns false if the pager cannot start. Ctrl+C belongs to the pager, so the signal of the command does not end it. */
function page(text: string, command: string): Promise<boolean> {
  return new Promise((resolve) => {
    const env = { LESS: 'FRX', LV: '-c', ...process.env };
    const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env });
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(!notStarted.includes(code ?? 0)));
    // A pager can end before it has read everything.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  });
}
