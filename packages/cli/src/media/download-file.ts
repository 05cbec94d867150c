import { createHash } from 'node:crypto';
import { chmodSync, existsSync, rmSync, type Stats, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { MemoryClient } from '@memory-read/client';
import type { SavedMedia } from '@memory-read/client/node';
import { archiveError, explainArchiveError } from '../archive/archive-error.ts';
import { digestFile } from '../archive/digest-file.ts';
import { manifestName } from '../archive/manifest.ts';
import { moveFile } from '../archive/move-file.ts';
import { loadMedia, type MediaLoad } from './load-media.ts';

/** One download to a path. */
export interface FileDownload extends Omit<MediaLoad, 'source'> {
  /** Replaces a file that is there. */
  force: boolean;
}

/**
 * Downloads media to a file, which is there whole, or as it was before.
 *
 * @throws CommandError when there is a file that may not be replaced, or the storage sends what is no recording.
 */
export async function downloadFile(client: MemoryClient, download: FileDownload): Promise<SavedMedia> {
  const { target, force, signal } = download;
  let source: string | undefined;
  try {
    // A link is followed: what it names is meant.
    const path = await realpath(target).catch(() => resolve(target));
    if (!existsSync(dirname(path))) throw archiveError(target, 'its folder does not exist. Make the folder first.');
    const before = statSync(path, { throwIfNoEntry: false });
    if (before) refuseToReplace(path, before, force);
    const found = before && (await digestFile(path, signal));
    const name = createHash('sha256').update(basename(path)).digest('hex').slice(0, 16);
    source = join(dirname(path), `.memory-read-${name}.loaded`);
    const saved = await loadMedia(client, { ...download, source });
    if (before) chmodSync(source, before.mode);
    moveFile(source, path, found);
    return { ...saved, path: join(dirname(saved.path), basename(path)) };
  } catch (error) {
    throw explainArchiveError(target, error);
  } finally {
    if (source) rmSync(source, { force: true });
  }
}

function refuseToReplace(path: string, found: Stats, force: boolean): void {
  if (!found.isFile()) throw archiveError(path, 'it is no file. Pass another path.');
  if (existsSync(join(dirname(path), manifestName))) {
    throw archiveError(
      path,
      `it is kept by ${manifestName} beside it. Run \`download --all\` or \`mirror\` for a new version.`,
    );
  }
  if (!force) throw archiveError(path, 'there is a file already. Pass another path, or --force to replace it.');
}
