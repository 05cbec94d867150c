import { lstatSync } from 'node:fs';
import type { ListedMemory, MediaKind } from '@memory-read/client';
import { fileError } from '../files/file-error.ts';
import type { ArchiveJob } from './archive-job.ts';
import { isInPlace } from './find-due-parts.ts';
import { removedState } from './memory-state.ts';

/** Records in the manifest that a memory no longer has this media file. The saved file stays. */
export async function markMediaRemoved(listed: ListedMemory, kind: MediaKind, job: ArchiveJob): Promise<undefined> {
  const { folder, manifest, report } = job;
  const entry = manifest.entryOf(listed);
  const known = entry.files[kind];
  if (known === undefined) return;
  const target = folder.pathOf(known.path);
  const isThere = lstatSync(target, { throwIfNoEntry: false }) !== undefined;
  if (isThere && !(await isInPlace(kind, known, job))) {
    const problem = 'it was changed after memory-read wrote it, and the memory no longer has it';
    throw fileError(target, `${problem}. Move or remove it, then run the command again.`);
  }
  const files = { ...entry.files, [kind]: isThere ? known : undefined };
  manifest.put({ ...entry, files, seen: { ...entry.seen, [kind]: removedState } });
  if (isThere) report.countKept();
}
