import { addAbortSignal } from 'node:stream';
import { openInput } from '../files/open-input.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { usageError } from '../terminal/command-error.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { rememberKey } from '../terminal/mask-keys.ts';
import { readSource } from './read-source.ts';

/**
 * Reads a key from `env:NAME` or `file:PATH`. No message repeats another value, because it may be the key itself.
 */
export async function readKey(process: CliProcess, option: string, source: string): Promise<string> {
  const readFile = (path: string) => readKeyFile(process, option, path);
  const key = await readSource(source, { option, env: process.env, readFile });
  if (key === undefined) {
    throw usageError(
      `${option}: a key on the command line is visible to other users of this machine. Pass env:NAME or file:PATH.`,
    );
  }
  if (/^[\x21-\x7e]+$/.test(key)) {
    rememberKey(process, key);
    return key;
  }
  throw usageError(`${option}: the value is not a key. Name a place that holds one line of visible ASCII characters.`);
}

/** Reads only until the text is too long for a key, because a device can be endless. */
async function readKeyFile(process: CliProcess, option: string, path: string): Promise<string> {
  const signal = abortOnInterruption(process);
  let text = '';
  try {
    const { stream } = await openInput(path);
    for await (const chunk of addAbortSignal(signal, stream.setEncoding('utf8'))) {
      text += chunk;
      if (text.length > longest) return '';
    }
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    // Not repeated, because it may be a key after `file:`.
    throw usageError(`${option}: the file cannot be read (${code}). Check its path and permissions.`);
  }
  return text.trim();
}

/** Longest text that can be a key: servers accept no longer header. */
const longest = 16_384;
