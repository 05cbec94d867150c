import type { ListedMemory, MediaKind } from '@memory-read/client';
import type { ArchiveJob } from './archive-job.ts';
import { isMediaKind, isTextFormat } from './archive-part.ts';
import { findDueParts } from './find-due-parts.ts';
import { markMediaRemoved } from './mark-media-removed.ts';
import { saveMediaFile } from './save-media-file.ts';
import { saveTexts } from './save-texts.ts';

/** Updates the files of a memory. A failure is reported, and the other files are still updated. */
export async function archiveMemory(listed: ListedMemory, job: ArchiveJob): Promise<void> {
  const { report, signal } = job;
  signal.throwIfAborted();
  let media: MediaKind[] | undefined;
  await report.runStep({ memoryId: listed.id, signal }, async () => {
    const due = await findDueParts(listed, job.manifest.entryOf(listed), job);
    await saveTexts(listed, due.filter(isTextFormat), job);
    if (due.length === 0) report.countUnchanged();
    media = due.filter(isMediaKind);
    return undefined;
  });
  // A memory that cannot be read counts as one failure.
  if (media === undefined) return;
  for (const kind of media) {
    if (report.isStorageUnavailable) break;
    const work = listed[`${kind}_url`] === null ? markMediaRemoved : saveMediaFile;
    await report.runStep({ memoryId: listed.id, part: kind, signal }, () => work(listed, kind, job));
  }
  updateEntry(listed, job);
}

/** Clears the missing mark of a listed memory, and stores its current name. */
function updateEntry(listed: ListedMemory, { manifest }: ArchiveJob): void {
  const { missingSince, ...entry } = manifest.entryOf(listed);
  const isKnown = Object.keys(entry.files).length > 0;
  const isRenamed = isKnown && entry.name !== listed.name;
  if (missingSince !== undefined || isRenamed) manifest.put({ ...entry, name: listed.name });
}
