import { readFileSync } from 'node:fs';
import { CommandError, exitCodes, usageError } from '../terminal/command-error.ts';

/**
 * Reads a key from `env:NAME` or `file:PATH`. No message repeats another value, because it may be the key itself.
 */
export function readKey(option: string, source: string): string {
  const [, kind, name = ''] = /^(env|file):(.+)$/s.exec(source) ?? [];
  if (kind === undefined) {
    throw usageError(
      `${option}: because it does not say where the key is, and a key itself would stand in the process list. Pass env:NAME or file:PATH.`,
    );
  }
  const key = kind === 'env' ? readVariable(option, name) : readKeyFile(option, name);
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw usageError(`${option}: because what it leads to is empty or no key. Pass where a key of visible ASCII is.`);
}

function readVariable(option: string, name: string): string {
  // Not repeated, because the shell may have expanded the variable.
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw usageError(
      `${option}: because what follows env: is no name of a variable. Pass env:NAME, without a $ before the name.`,
    );
  }
  const key = process.env[name];
  if (key !== undefined) return key;
  throw new CommandError(
    exitCodes.failed,
    `Failed to read ${option}: because the environment has no ${name}. Set it, or pass another one.`,
  );
}

function readKeyFile(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      exitCodes.failed,
      `Failed to read ${option}: because the file cannot be read (${code}). Check its path and permissions.`,
    );
  }
}
