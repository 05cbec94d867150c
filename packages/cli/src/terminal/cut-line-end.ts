import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { CliProcess } from './cli-process.ts';

const lineFeed = 0x0a;

/**
 * Returns a line break if standard output is appended to a file whose last line is incomplete.
 *
 * A process that was killed can leave such a line, and the next line would be joined to it.
 */
export function cutLineEnd({ stdout }: CliProcess): '\n' | '' {
  try {
    const output = fstatSync(stdout.fd);
    if (!output.isFile() || output.size === 0) return '';
    // The file is opened again, because a file opened for appending cannot be read.
    const file = openSync(`/dev/fd/${stdout.fd}`, 'r');
    try {
      const last = Buffer.alloc(1);
      return readSync(file, last, 0, 1, output.size - 1) === 1 && last[0] !== lineFeed ? '\n' : '';
    } finally {
      closeSync(file);
    }
  } catch {
    // The system cannot open files by their descriptors, so no line break is added.
    return '';
  }
}
