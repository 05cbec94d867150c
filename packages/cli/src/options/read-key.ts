import { readFileSync } from 'node:fs';
import { usageError } from '../terminal/command-error.ts';
import { rememberKey } from '../terminal/mask-keys.ts';

/**
 * Reads a key from `env:NAME` or `file:PATH`. No message repeats another value, because it may be the key itself.
 */
export function readKey(option: string, source: string): string {
  const [, kind, name = ''] = /^(env|file):(.+)$/s.exec(source) ?? [];
  if (kind === undefined) {
    throw usageError(
      `${option}: a key on the command line is visible to other users of this machine. Pass env:NAME or file:PATH.`,
    );
  }
  const key = kind === 'env' ? readVariable(option, name) : readKeyFile(option, name);
  rememberKey(key);
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw usageError(`${option}: the value is not a key. Name a place that holds one line of visible ASCII characters.`);
}

function readVariable(option: string, name: string): string {
  // Not repeated, because the shell may have expanded the variable.
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw usageError(`${option}: the text after env: is not the name of a variable. Pass env:NAME, without $.`);
  }
  const key = process.env[name];
  if (key !== undefined) return key;
  throw usageError(`${option}: the variable ${name} is not set. Set it, or name another one.`);
}

function readKeyFile(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Not repeated, because it may be a key after `file:`.
    throw usageError(`${option}: the file cannot be read (${code}). Check its path and permissions.`);
  }
}
