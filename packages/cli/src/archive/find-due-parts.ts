import { lstatSync } from 'node:fs';
import type { ListedMemory } from '@memory-read/client';
import { digestFile } from '../files/digest-file.ts';
import type { ArchiveJob } from './archive-job.ts';
import { type ArchivePart, isTextFormat } from './archive-part.ts';
import type { ArchivedFile, ArchivedMemory } from './archived-memory.ts';
import { memoryState, recordingState, removedState } from './memory-state.ts';

/** Returns the parts of a memory that are missing or outdated according to the list. It writes nothing. */
export async function findDueParts(
  listed: ListedMemory,
  memory: ArchivedMemory,
  job: ArchiveJob,
): Promise<ArchivePart[]> {
  const due: ArchivePart[] = [];
  for (const part of job.parts) {
    const isKept = await isInPlace(part, memory.files[part], job);
    if (isDue(part, { listed, memory, isKept })) due.push(part);
  }
  return due;
}

interface PartSituation {
  listed: ListedMemory;
  memory: ArchivedMemory;
  isKept: boolean;
}

function isDue(part: ArchivePart, { listed, memory, isKept }: PartSituation): boolean {
  const isMissing = memory.files[part] !== undefined && !isKept;
  if (isTextFormat(part)) return isMissing || memory.seen[part] !== memoryState(listed);
  if (listed[`${part}_url`] === null) {
    return memory.files[part] !== undefined && (isMissing || memory.seen[part] !== removedState);
  }
  // A recording that is processing again is not final.
  if (!isKept || listed.is_processing) return !isKept;
  return memory.seen[part] !== recordingState(listed);
}

/** People may edit text files, but a media file of another size is damaged. */
export async function isInPlace(part: ArchivePart, file: ArchivedFile | undefined, job: ArchiveJob): Promise<boolean> {
  if (file === undefined) return false;
  const path = job.folder.pathOf(file.path);
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status?.isFile()) return false;
  if (job.verify) return (await digestFile(path, job.signal))?.sha256 === file.sha256;
  return isTextFormat(part) || status.size === file.size;
}
