import { createHash } from 'node:crypto';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ListedMemory, MediaKind, MemoryClient } from '@memory-read/client';
import { type SavedMedia, saveMedia } from '@memory-read/client/node';
import { parseDateTime } from '@memory-read/contract/date-time';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/open-database.ts';
import { makePrivateFolder } from '../database/private-files.ts';
import { shortHash } from '../pages/kept-memories.ts';
import type { FailureCount } from './failure-count.ts';
import { inParallel } from './in-parallel.ts';
import type { SyncSettings } from './read-sync-options.ts';
import type { SyncReport } from './sync-types.ts';

interface DueFile {
  listed: ListedMemory;
  memoryKey: number;
  kind: MediaKind;
  /** Path below the folder of the mirror, without a suffix. */
  stem: string;
}

/** For a type that is not common for media. */
const defaultSuffixes: Record<MediaKind, string> = { audio: '.wav', video: '.mp4', preview_image: '.png' };

/** Saves the media of listed memories that the mirror lacks. */
export async function saveMediaFiles(
  { database, folder }: { database: MirrorDatabase; folder: string },
  client: MemoryClient,
  listed: readonly { listed: ListedMemory; memoryKey: number }[],
  { settings, report, failures }: { settings: SyncSettings; report: SyncReport; failures: FailureCount },
): Promise<void> {
  const files = database.prepare('SELECT path, size, is_current FROM media WHERE memory_key = ? AND kind = ?');
  const due = listed.flatMap((each) =>
    settings.media.flatMap((kind): DueFile[] => {
      if (each.listed[`${kind}_url`] === null || each.listed.is_processing) return [];
      const stem = `media/${shortHash(each.listed.id)}/${kind}-${recordingState(each.listed)}`;
      const saved = files
        .all(each.memoryKey, kind)
        .find(({ path, size }) => String(path).startsWith(`${stem}.`) && sizeOf(join(folder, String(path))) === size);
      if (saved === undefined) return [{ ...each, kind, stem }];
      // A recording whose times are again what they were has its file already.
      if (saved.is_current === 0) {
        database
          .prepare('UPDATE media SET is_current = path = ? WHERE memory_key = ? AND kind = ?')
          .run(saved.path as string, each.memoryKey, kind);
      }
      return [];
    }),
  );
  await inParallel(due, settings, async (file, signal) => {
    const at = { memoryId: file.listed.id, kind: file.kind };
    try {
      makePrivateFolder(join(folder, file.stem, '..'));
      let path = '';
      const onProgress = (event: { bytesReceived: number; size: number | null }) =>
        settings.report({ type: 'media', ...at, ...event });
      const saved = await saveMedia(
        client,
        file.listed.id,
        file.kind,
        ({ suffix }) => {
          path = `${file.stem}${suffix || defaultSuffixes[file.kind]}`;
          return join(folder, path);
        },
        { signal, onProgress },
      );
      chmodSync(saved.path, 0o600);
      noteFile(database, file, path, saved);
      report.mediaSaved += 1;
      report.mediaBytes += saved.size;
      failures.succeed();
    } catch (error) {
      failures.fail(error, signal, at);
    }
  });
}

function noteFile(
  database: MirrorDatabase,
  { memoryKey, kind }: DueFile,
  path: string,
  { size, contentType }: SavedMedia,
): void {
  inTransaction(database, () => {
    database.prepare('UPDATE media SET is_current = 0 WHERE memory_key = ? AND kind = ?').run(memoryKey, kind);
    database
      .prepare(
        `INSERT OR REPLACE INTO media (memory_key, kind, path, size, content_type, is_current)
        VALUES (?, ?, ?, ?, ?, 1)`,
      )
      .run(memoryKey, kind, path, size, contentType);
  });
}

/** Returns a digest of what a recording depends on. A new name, for example, is no new recording. */
function recordingState({ started_at, ended_at, duration_seconds }: ListedMemory): string {
  const facts = [...[started_at, ended_at].map((time) => parseDateTime(time) ?? time), duration_seconds];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 8);
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
