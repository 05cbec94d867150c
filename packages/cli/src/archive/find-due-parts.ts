import { lstatSync } from 'node:fs';
import type { ListedMemory } from '@memory-read/client';
import type { ArchiveJob } from './archive-job.ts';
import { type ArchivePart, isTextFormat } from './archive-part.ts';
import type { ArchivedFile, ArchivedMemory } from './archived-memory.ts';
import { digestFile } from './digest-file.ts';
import { goneState, memoryState, recordingState } from './memory-state.ts';

/** Which parts of a memory are missing or outdated, as far as the list tells. It only reads. */
export async function findDueParts(
  listed: ListedMemory,
  memory: ArchivedMemory,
  job: ArchiveJob,
): Promise<ArchivePart[]> {
  const due: ArchivePart[] = [];
  for (const part of job.parts) {
    const isKept = await isInPlace(part, memory.files[part], job);
    if (isDue(part, { listed, memory, isKept }, job)) due.push(part);
  }
  return due;
}

interface PartSituation {
  listed: ListedMemory;
  memory: ArchivedMemory;
  isKept: boolean;
}

function isDue(part: ArchivePart, { listed, memory, isKept }: PartSituation, { refresh }: ArchiveJob): boolean {
  const isMissing = memory.files[part] !== undefined && !isKept;
  if (isTextFormat(part)) return isMissing || refresh === true || memory.seen[part] !== memoryState(listed);
  if (listed[`${part}_url`] === null) {
    return memory.files[part] !== undefined && (isMissing || memory.seen[part] !== goneState);
  }
  // A recording that is back in processing is none that can be relied on.
  if (!isKept || listed.is_processing) return !isKept;
  return refresh === true || memory.seen[part] !== recordingState(listed);
}

/** What people write may be changed by people; media of another size are damaged. */
export async function isInPlace(part: ArchivePart, file: ArchivedFile | undefined, job: ArchiveJob): Promise<boolean> {
  if (file === undefined) return false;
  const path = job.folder.pathOf(file.path);
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status?.isFile()) return false;
  if (job.verify) return (await digestFile(path, job.signal))?.sha256 === file.sha256;
  return isTextFormat(part) || status.size === file.size;
}
