import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mirror, type OpenMirrorOptions, openMirror } from '@memory-read/mirror';
import { fileError } from '../files/file-error.ts';
import { explainMirrorError } from './explain-mirror-error.ts';
import { isMirror } from './find-mirror.ts';

/**
 * Opens a mirror for some work, and closes it.
 *
 * @throws CommandError if the mirror cannot be used.
 */
export async function withMirror<Result>(
  options: OpenMirrorOptions,
  work: (mirror: Mirror) => Promise<Result>,
): Promise<Result> {
  try {
    const mirror = await openMirror(options);
    try {
      return await work(mirror);
    } finally {
      await mirror.close();
    }
  } catch (error) {
    throw explainMirrorError(options.folder, error);
  }
}

/**
 * Opens the mirror of a run. A dry run only reads it. Without a mirror, it reads an empty one in a temporary folder,
 * because it creates none.
 */
export async function withMirrorOfRun<Result>(
  { folder, dryRun, onWarning }: Omit<OpenMirrorOptions, 'readOnly'> & { dryRun: boolean },
  work: (mirror: Mirror) => Promise<Result>,
): Promise<Result> {
  if (!dryRun || isMirror(folder)) return withMirror({ folder, readOnly: dryRun, onWarning }, work);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw fileError(folder, 'it is not a folder. Choose a folder.');
  }
  const empty = mkdtempSync(join(tmpdir(), 'memory-read-'));
  try {
    return await withMirror({ folder: empty }, work);
  } finally {
    rmSync(empty, { recursive: true });
  }
}
