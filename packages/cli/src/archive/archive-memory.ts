import type { ListedMemory, MediaKind } from '@memory-read/client';
import type { ArchiveJob } from './archive-job.ts';
import { isMediaKind, isTextFormat } from './archive-part.ts';
import { findDueParts } from './find-due-parts.ts';
import { keepMediaFile } from './keep-media-file.ts';
import { saveMediaFile } from './save-media-file.ts';
import { saveTexts } from './save-texts.ts';

/** Brings the files of a memory up to date. What fails is reported, and the rest goes on. */
export async function archiveMemory(listed: ListedMemory, job: ArchiveJob): Promise<void> {
  const { report, signal } = job;
  signal.throwIfAborted();
  let media: MediaKind[] | undefined;
  await report.follow({ memoryId: listed.id, signal }, async () => {
    const due = await findDueParts(listed, job.manifest.entryOf(listed), job);
    await saveTexts(listed, due.filter(isTextFormat), job);
    if (due.length === 0) report.leave();
    media = due.filter(isMediaKind);
    return undefined;
  });
  // A memory that cannot be read is one failure.
  if (media === undefined) return;
  for (const kind of media) {
    if (report.isStorageDead) break;
    const work = listed[`${kind}_url`] === null ? keepMediaFile : saveMediaFile;
    await report.follow({ memoryId: listed.id, part: kind, signal }, () => work(listed, kind, job));
  }
  welcome(listed, job);
}

/** A memory that is listed is not missing, and has the name that is listed. */
function welcome(listed: ListedMemory, { manifest }: ArchiveJob): void {
  const { missingSince, ...entry } = manifest.entryOf(listed);
  const isKnown = Object.keys(entry.files).length > 0;
  const isNews = isKnown && entry.name !== listed.name;
  if (missingSince !== undefined || isNews) manifest.put({ ...entry, name: listed.name });
}
