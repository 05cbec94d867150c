import { dirname, join } from 'node:path';
import { isMemoryApiError, type ListedMemory, type MediaKind, type Memory } from '@memory-read/client';
import { type SavedMedia, saveMedia } from '@memory-read/client/node';
import { inParallel, yieldToEventLoop } from '@memory-read/contract/event-loop';
import { recordingState } from '@memory-read/contract/memory-state';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { MirrorStorage } from '../database/open-database.ts';
import { explainStorageError } from '../errors/explain-storage-error.ts';
import { isMirrorError } from '../errors/mirror-error.ts';
import { ofCaller } from '../errors/stored-values.ts';
import { assertPathType } from '../files/assert-path-type.ts';
import { digestFile } from '../files/digest-file.ts';
import { isInside } from '../files/is-inside.ts';
import { statusOfMedia } from '../files/media-file.ts';
import { makePrivateFolder } from '../files/private-files.ts';
import { shortHash } from '../history/stored-memories.ts';
import type { FailureCount } from './failure-count.ts';
import type { SyncSettings } from './read-sync-options.ts';
import type { SyncClient, SyncReport } from './sync-types.ts';

/** A media file of the list that is missing from the mirror, or exists from an earlier version. */
export interface ListedFile {
  listed: ListedMemory;
  kind: MediaKind;
  /** Path relative to the folder of the mirror, without a suffix. */
  stem: string;
  /** Path of the file from an earlier version; undefined if the file must be downloaded. */
  savedPath: string | undefined;
}

type FileOfMemory = ListedFile & { memoryKey: number };

/** Suffixes for uncommon content types. */
const defaultSuffixes: Record<MediaKind, string> = { audio: '.wav', video: '.mp4', preview_image: '.png' };

/** Returns the media of listed memories that are not current in the mirror. Writes nothing. */
export async function findListedFiles(
  { database, folder }: MirrorStorage,
  pairs: readonly { listed: ListedMemory; known: { memoryKey: number } | undefined }[],
  kinds: readonly MediaKind[],
): Promise<ListedFile[]> {
  const files = database.prepare('SELECT path, size, is_current FROM media WHERE memory_key = ? AND kind = ?');
  const found: ListedFile[] = [];
  for (const { listed, known } of pairs) {
    await yieldToEventLoop();
    for (const kind of kinds) {
      if (!listed[`${kind}_url`] || listed.is_processing) continue;
      const stem = stemOfMedia(listed, kind);
      const saved = files
        .all(known?.memoryKey ?? null, kind)
        .find(({ path, size }) => isFileOf(stem, String(path)) && statusOfMedia(folder, String(path))?.size === size);
      if (saved?.is_current !== 1) found.push({ listed, kind, stem, savedPath: saved && String(saved.path) });
    }
  }
  return found;
}

/** Returns the path of a recording, relative to the folder of the mirror, without a suffix. */
export function stemOfMedia(memory: Memory, kind: MediaKind): string {
  return `media/${shortHash(memory.id)}/${kind}-${shortHash(recordingState(memory)).slice(0, 8)}`;
}

/** Saves the media that are missing from the mirror. */
export async function saveMediaFiles(
  { database, folder, hardening }: MirrorStorage,
  client: SyncClient,
  files: readonly FileOfMemory[],
  { settings, report, failures }: { settings: SyncSettings; report: SyncReport; failures: FailureCount },
): Promise<void> {
  // If the times of a recording have their earlier values again, its file already exists.
  for (const { memoryKey, kind, savedPath } of files) {
    if (savedPath === undefined) continue;
    database
      .prepare('UPDATE media SET is_current = path = ? WHERE memory_key = ? AND kind = ?')
      .run(savedPath, memoryKey, kind);
  }
  const due = files.filter(({ savedPath }) => savedPath === undefined);
  await inParallel(due, settings, async (file, signal) => {
    const at = { memoryId: file.listed.id, kind: file.kind };
    try {
      const mediaFolder = dirname(join(folder, file.stem));
      makePrivateFolder(mediaFolder, hardening);
      assertPathType('folder', mediaFolder, 'save media to');
      let path = '';
      const onProgress = (event: { bytesReceived: number; size: number | null }) =>
        settings.report({ type: 'media', ...at, ...event });
      const choosePath = ({ suffix }: { suffix: string }) => {
        path = `${file.stem}${suffix || defaultSuffixes[file.kind]}`;
        assertPathType('file', join(folder, path), 'save media to');
        return join(folder, path);
      };
      const saved = await ofCaller(() => saveMedia(client, at.memoryId, at.kind, choosePath, { signal, onProgress }));
      hardening.setMode(saved.path, 0o600);
      const digest = await digestFile(saved.path, signal);
      noteFile(database, file, path, { ...saved, sha256: digest?.sha256 ?? null });
      report.mediaSaved += 1;
      report.mediaBytes += saved.size;
      failures.succeed();
      settings.report({ type: 'saved', ...at, path, size: saved.size, resumedFrom: saved.resumedFrom });
    } catch (error) {
      failures.fail(explainSaveError(error, join(folder, file.stem)), signal, at);
    }
  });
}

function noteFile(
  database: MirrorDatabase,
  { memoryKey, kind }: FileOfMemory,
  path: string,
  { size, contentType, sha256 }: SavedMedia & { sha256: string | null },
): void {
  inTransaction(database, () => {
    database.prepare('UPDATE media SET is_current = 0 WHERE memory_key = ? AND kind = ?').run(memoryKey, kind);
    database
      .prepare(
        `INSERT OR REPLACE INTO media (memory_key, kind, path, size, content_type, is_current, sha256)
        VALUES (?, ?, ?, ?, ?, 1, ?)`,
      )
      .run(memoryKey, kind, path, size, contentType, sha256);
  });
}

/** Returns whether a path of the database is that of a recording, given without a suffix. */
export function isFileOf(stem: string, path: string): boolean {
  return path.startsWith(`${stem}.`) && !path.slice(stem.length).includes('/') && isInside(path);
}

/** An error of `saveMedia` has the code of the system error, but only its cause is the system error itself. */
function explainSaveError(error: unknown, path: string): unknown {
  if (isMemoryApiError(error)) return error;
  const explained = explainStorageError(Object(error).cause, 'save media to', path);
  return isMirrorError(explained) ? explained : explainStorageError(error, 'save media to', path);
}
