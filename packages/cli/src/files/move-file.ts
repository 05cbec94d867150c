import { linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { refusalCode } from '@memory-read/contract/file-errors';
import { type FoundFile, stampOf } from './digest-file.ts';
import { fileError, systemCodeOf } from './file-error.ts';

/**
 * Moves a file within a disk. It replaces the found file, or none.
 *
 * @throws CommandError if the target has changed since, because it can contain changes of the user.
 */
export function moveFile(source: string, target: string, found: FoundFile | undefined): void {
  if (found === undefined) {
    moveToNewPlace(source, target);
    return;
  }
  const status = lstatSync(target, { bigint: true, throwIfNoEntry: false });
  if (status && stampOf(status) !== found.stamp) throw changedMeanwhile(target);
  renameSync(source, target);
}

/** Uses a link, because a rename would replace an existing file. */
function moveToNewPlace(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    if (refusalCode(error) === undefined && !['EEXIST', 'EMLINK'].includes(systemCodeOf(error) ?? '')) throw error;
    if (lstatSync(target, { throwIfNoEntry: false })) throw changedMeanwhile(target);
    renameSync(source, target);
    return;
  }
  try {
    unlinkSync(source);
  } catch {
    // The file is at its final path. The next run removes the other name.
  }
}

function changedMeanwhile(target: string): Error {
  return fileError(target, 'another process wrote the file. Move or remove it, then run the command again.', {
    action: 'save',
  });
}
