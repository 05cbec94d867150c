import { rmSync } from 'node:fs';
import { isMemoryApiError, type MediaKind, type MediaProgress, type MemoryClient } from '@memory-read/client';
import { type SavedMedia, saveMedia } from '@memory-read/client/node';
import { explainFileError, systemCodeOf } from '../files/file-error.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { describeNonMedia } from './describe-non-media.ts';

/** A media file to download, and its paths. */
export interface MediaLoad {
  memoryId: string;
  kind: MediaKind;
  /** Temporary file. Its path is the same in each run, so that a later run can resume the download. */
  source: string;
  /** Final path, for messages. */
  target: string;
  signal: AbortSignal;
  onProgress: (progress: MediaProgress) => void;
}

/**
 * Downloads media to a temporary file, and resumes an earlier download.
 *
 * @throws CommandError if the storage sends something other than media.
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
    const { cause } = Object(error);
    throw explainFileError(target, systemCodeOf(cause) === undefined ? error : cause);
  }
}

function assertMedia({ memoryId, kind, source }: MediaLoad): void {
  const what = describeNonMedia(source);
  if (what === undefined) return;
  rmSync(source);
  throw new CommandError(
    exitCodes.failed,
    `Failed to download the ${kind} of memory ${JSON.stringify(memoryId)}: the storage sent ${what} instead of media. Report this to the operator of the server.`,
  );
}
