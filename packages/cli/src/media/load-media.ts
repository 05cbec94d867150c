import { rmSync } from 'node:fs';
import { isMemoryApiError, type MediaKind, type MediaProgress, type MemoryClient } from '@memory-read/client';
import { type SavedMedia, saveMedia } from '@memory-read/client/node';
import { explainArchiveError, systemCodeOf } from '../archive/archive-error.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { describeNonMedia } from './describe-non-media.ts';

/** What to load, and where to. */
export interface MediaLoad {
  memoryId: string;
  kind: MediaKind;
  /** A temporary file, in the same folder each time, so that a later load goes on there. */
  source: string;
  /** Where it is going to be, for messages. */
  target: string;
  signal: AbortSignal;
  onProgress: (progress: MediaProgress) => void;
}

/**
 * Downloads media to a temporary file, from where an earlier load stopped.
 *
 * @throws CommandError when the storage sends what is no recording.
 */
export async function loadMedia(client: MemoryClient, load: MediaLoad): Promise<SavedMedia> {
  const { memoryId, kind, source, target, signal, onProgress } = load;
  try {
    rmSync(source, { force: true });
    const saved = await saveMedia(client, memoryId, kind, source, { signal, onProgress });
    assertMedia(load);
    return saved;
  } catch (error) {
    if (isMemoryApiError(error)) throw error;
    // The client's message names the temporary file.
    const cause = error instanceof Error && systemCodeOf(error.cause) !== undefined ? error.cause : error;
    throw explainArchiveError(target, cause);
  }
}

function assertMedia({ memoryId, kind, source }: MediaLoad): void {
  const what = describeNonMedia(source);
  if (what === undefined) return;
  rmSync(source);
  throw new CommandError(
    exitCodes.failed,
    `Failed to download the ${kind} of memory ${JSON.stringify(memoryId)}: because the storage sent ${what} in place of a recording. Report it to the operators of the API.`,
  );
}
