import { lstatSync, renameSync, rmSync } from 'node:fs';
import type { ListedMemory, MediaKind } from '@memory-read/client';
import { digestFile, digestText } from '../files/digest-file.ts';
import { fileError } from '../files/file-error.ts';
import { loadMedia } from '../media/load-media.ts';
import { mediaSuffix } from '../media/media-suffix.ts';
import type { ArchiveJob } from './archive-job.ts';
import type { ArchivedFile } from './archived-memory.ts';
import { agreedState, recordingState } from './memory-state.ts';
import { placeFile } from './place-files.ts';
import { readMemory } from './read-memory.ts';

/** Downloads media of a memory, resumes a download of an earlier run, and moves the file into the folder. */
export async function saveMediaFile(
  listed: ListedMemory,
  kind: MediaKind,
  job: ArchiveJob,
): Promise<ArchivedFile | undefined> {
  const { folder, manifest } = job;
  const { files, stem } = manifest.entryOf(listed);
  const name = files[kind]?.path ?? `${stem}${mediaSuffix(kind, listed[`${kind}_url`] ?? '')}`;
  const waiting = waitingName(listed, kind);
  const isWaiting = isFile(folder.workPathOf(waiting));
  const loaded = isWaiting
    ? { source: waiting, state: recordingState(listed) }
    : await load(listed, { kind, name }, job);
  if (loaded === undefined) {
    job.report.countKept();
    return undefined;
  }
  const digest = await digestFile(folder.workPathOf(loaded.source), job.signal);
  const target = folder.pathOf(name);
  if (digest === undefined)
    throw fileError(target, 'another process removed the file. Run the command again.', {
      action: 'save',
    });
  return placeFile(job, manifest.entryOf(listed), { part: kind, name, ...loaded, ...digest });
}

/** Returns the name of a complete download in the work folder. It depends on the recording's state. */
export function waitingName(listed: ListedMemory, kind: MediaKind): string {
  return `${digestText(`${recordingState(listed)} ${kind} ${listed.id}`).sha256.slice(0, 32)}.media`;
}

interface LoadedMedia {
  source: string;
  state: string | undefined;
}

/** Returns undefined if the saved recording must stay because the memory is processing again. */
async function load(
  listed: ListedMemory,
  { kind, name }: { kind: MediaKind; name: string },
  job: ArchiveJob,
): Promise<LoadedMedia | undefined> {
  const { client, folder, signal } = job;
  const source = `${digestText(`${kind} ${listed.id}`).sha256.slice(0, 32)}.loaded`;
  const [path, target] = [folder.workPathOf(source), folder.pathOf(name)];
  const count = countBytes(job);
  const onProgress = ({ bytesReceived }: { bytesReceived: number }) => count(bytesReceived);
  const saved = await loadMedia(client, { memoryId: listed.id, kind, source: path, target, signal, onProgress });
  count(saved.size, saved.resumedFrom);
  // The list was read before the recording was downloaded.
  const memory = await readMemory(listed, job);
  const state = agreedState(listed, memory, recordingState);
  if (state === undefined) {
    if (!memory.is_processing || !isFile(target)) return { source, state };
    rmSync(path);
    return undefined;
  }
  const waiting = waitingName(listed, kind);
  renameSync(path, folder.workPathOf(waiting));
  return { source: waiting, state };
}

/** Until a file is saved, it is unknown how much of the first event an earlier run downloaded. That is not counted. */
function countBytes({ report }: ArchiveJob) {
  let counted = 0;
  let first: number | undefined;
  return (position: number, start?: number) => {
    first = start ?? first ?? position;
    report.countBytes(position - first - counted);
    counted = position - first;
  };
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
