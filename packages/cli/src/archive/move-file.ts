import { linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { archiveError, systemCodeOf } from './archive-error.ts';
import { type FoundFile, stampOf } from './digest-file.ts';

/**
 * Moves a file within a disk, in the place of what was found there, or of nothing.
 *
 * @throws CommandError when something else lies there by now: it is somebody's work.
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

/** A link, as against a rename, replaces nothing. */
function moveToNewPlace(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    const code = systemCodeOf(error) ?? '';
    if (code !== 'EEXIST' && !withoutLinks.includes(code)) throw error;
    if (lstatSync(target, { throwIfNoEntry: false })) throw changedMeanwhile(target);
    renameSync(source, target);
    return;
  }
  try {
    unlinkSync(source);
  } catch {
    // It lies in its place: the next run removes the other name.
  }
}

const withoutLinks = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'];

function changedMeanwhile(target: string): Error {
  return archiveError(target, 'somebody has just written it. Move it away, or remove it, and run the command again.');
}
