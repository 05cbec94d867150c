import { statSync } from 'node:fs';
import { type MediaKind, type MemoryClient, responseInfo } from '@memory-read/client';
import type { SyncProgress, SyncReport } from '@memory-read/mirror';
import { fileError } from '../files/file-error.ts';
import { isInRange } from '../times/is-in-range.ts';

/** Limits of a plan, like the options of `sync`. */
interface Plan {
  folder: string;
  media: readonly MediaKind[];
  since?: Date | undefined;
  until?: Date | undefined;
  onProgress: (event: SyncProgress) => void;
  signal: AbortSignal;
}

/** Returns the counts of a first sync. It sends one request, and creates no folder, which `openMirror` would do. */
export async function planFirstSync(
  client: MemoryClient,
  { folder, media, since, until, onProgress, signal }: Plan,
): Promise<SyncReport> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
    throw fileError(folder, 'it is not a folder. Choose a folder.');
  const list = await client.listMemories({ signal, validation: 'skip' });
  const skipped = responseInfo(list)?.skipped;
  const failed = (skipped ?? []).map(({ memoryId = '', error }) => ({ memoryId, error }));
  const due = [...new Map(list.map((memory) => [memory.id, memory])).values()].filter(({ started_at }) =>
    isInRange(started_at, { since, until }),
  );
  for (const failure of failed) onProgress({ type: 'failed', ...failure });
  for (const memory of due) {
    const kinds = media.filter((kind) => memory[`${kind}_url`] !== null && !memory.is_processing);
    for (const kind of [undefined, ...kinds]) onProgress({ type: 'planned', memoryId: memory.id, kind });
  }
  return {
    requests: 1,
    listed: list.length,
    added: due.length,
    changed: 0,
    unchanged: 0,
    missing: 0,
    returned: 0,
    purged: 0,
    rechecked: 0,
    unconfirmedEmptyList: false,
    incompleteList: !skipped || skipped.some(({ memoryId }) => memoryId === undefined),
    mediaSaved: 0,
    mediaBytes: 0,
    failed,
    logPending: false,
  };
}
