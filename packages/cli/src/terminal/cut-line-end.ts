import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * What ends the last line of the file that standard output is appended to, where a process was killed while it wrote
 * that line; else nothing. Without it the next line would be glued to half a line, and be read by nobody.
 */
export function cutLineEnd(): '\n' | '' {
  try {
    const output = fstatSync(process.stdout.fd);
    if (!output.isFile() || output.size === 0) return '';
    // Opened again, since what is opened for appending cannot be read.
    const file = openSync(`/dev/fd/${process.stdout.fd}`, 'r');
    try {
      const last = Buffer.alloc(1);
      return readSync(file, last, 0, 1, output.size - 1) === 1 && last[0] !== lineFeed ? '\n' : '';
    } finally {
      closeSync(file);
    }
  } catch {
    // The system cannot open files by their descriptors, so nothing is known and nothing is added.
    return '';
  }
}

const lineFeed = 0x0a;
