import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { explainFileError, fileError } from './file-error.ts';
import { writeWholeFile } from './write-whole-file.ts';

/**
 * Writes a text to a new file atomically. A path that is not a regular file, such as a pipe, is written to directly.
 *
 * @throws CommandError if a file with other content exists.
 */
export function saveDocument(path: string, text: string): void {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) writeWholeFile(path, text, `${path}.${randomBytes(6).toString('hex')}.tmp`);
    else if (!found.isFile()) writeFileSync(path, text);
    else if (readFileSync(path, 'utf8') !== text) throw fileError(path, occupied, { action: 'save' });
  } catch (error) {
    throw explainFileError(path, error);
  }
}

const occupied = 'the file exists with other content. Remove it, or pass another path.';
