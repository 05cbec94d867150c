import { join } from 'node:path';
import type { MirrorStorage } from '../database/open-database.ts';
import { DerivedFiles } from '../files/derived-files.ts';
import { stampOf } from '../files/digest-file.ts';
import { listStoredMemories } from '../history/stored-memories.ts';
import { mirrorFolder, writePages } from '../pages/write-pages.ts';

/**
 * Writes the pages and captions that exist again after names were deleted. Captions of former recordings are not written
 * any more, so those that had a name are removed.
 *
 * `noted` has the paths that had a name. Afterwards it has those that still can: files of the owner, and files of damaged
 * memories. Returns the files of the folder.
 */
export async function writeWithoutNames(
  storage: MirrorStorage,
  noted: readonly Set<string>[],
  timeZone: string,
): Promise<DerivedFiles> {
  const { database, folder } = storage;
  const report = await writePages(storage, { timeZone, isInRange: () => true, onlyKnown: true });
  const files = await DerivedFiles.open(database, mirrorFolder(storage));
  const stored = listStoredMemories(database);
  const current = new Set(stored.flatMap(({ media }) => Object.values(media).map(({ path }) => stemOf(path))));
  const rows = stored.flatMap(({ memoryKey }) => files.rowsOf(memoryKey));
  const isFormer = ({ part }: { part: string }) =>
    part.startsWith(captionsOf) && !current.has(part.slice(captionsOf.length));
  const former = rows.filter((row) => isFormer(row) && noted.some((paths) => paths.has(row.path)));
  const { left } = await files.remove(former);
  files.drop(former.filter(({ path }) => !left.includes(path)));
  const damaged = stored.filter(({ memoryId }) => report.damaged?.includes(memoryId));
  const unread = new Set(damaged.flatMap(({ memoryKey }) => files.rowsOf(memoryKey).map(({ path }) => path)));
  for (const [path, stamp] of files.stampsExcept(new Set())) {
    if (unread.has(path) || stampOf(join(folder, path)) !== stamp) continue;
    for (const paths of noted) paths.delete(path);
  }
  return files;
}

/** Beginning of the part of captions; the path of the recording without its suffix follows. */
const captionsOf = 'captions ';

function stemOf(path: string): string {
  return path.replace(/\.\w+$/, '');
}
