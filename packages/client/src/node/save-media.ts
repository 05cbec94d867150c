import { unlink } from 'node:fs/promises';
import type { MediaKind } from '@memory-read/contract';
import { OptionChecks } from '../configuration/option-checks.ts';
import { isMemoryApiError } from '../errors/is-memory-api-error.ts';
import { MediaDownloadError } from '../errors/media-download-error.ts';
import type { MediaDownload, OpenMediaOptions } from '../media/media-options.ts';
import type { MemoryClient } from '../memory-client.ts';
import type { PartialFile } from './partial-file.ts';
import { isResumable, PartialFolder, type Rest } from './partial-folder.ts';
import { explainFileError } from './save-error.ts';
import { findTarget, type SaveTarget } from './save-target.ts';

/** How to save media: as with `openMedia`, but where to start is found out. */
export type SaveMediaOptions = Omit<OpenMediaOptions, 'start'>;

/** Media on disk. */
export interface SavedMedia {
  /** Absolute, and without symbolic links. */
  readonly path: string;
  /** Bytes of the file. */
  readonly size: number;
  /** Bytes that an earlier attempt had left, and that were not loaded again. */
  readonly resumedFrom: number;
}

/**
 * Saves media to a file, which is there whole or as it was before, whatever happens.
 *
 * The bytes gather in a hidden file beside it, whose name holds their ETag. What an earlier call left there, also one
 * that was killed, is not loaded again unless the object has changed. Several processes may save to one path. A file
 * that is replaced passes its permissions on.
 *
 * @throws {MediaUnavailableError} where the memory has no such media.
 * @throws {MediaDownloadError} where the download fails; what has come of it is resumed by the next call.
 * @throws {Error} with the `code` of the system, such as `ENOSPC`, where the file cannot be written.
 * @see Section 2.1.1 of the specification.
 *
 * @example
 * ```ts
 * const saved = await saveMedia(client, 'mem_1', 'audio', join(folder, 'mem_1.wav'));
 * console.log(`${saved.size} bytes, of which ${saved.resumedFrom} were there already`);
 * ```
 */
export async function saveMedia(
  client: MemoryClient,
  memoryId: string,
  kind: MediaKind,
  path: string,
  options: SaveMediaOptions = {},
): Promise<SavedMedia> {
  const check = new OptionChecks('save media');
  const signal = check.signal(check.options(options).signal);
  let rest: Rest | undefined;
  try {
    const target = await findTarget(path, check);
    const folder = new PartialFolder(target, [client.toJSON().baseUrl, memoryId, kind]);
    rest = await folder.openRest();
    const open = (start?: OpenMediaOptions['start']) => client.openMedia(memoryId, kind, { ...options, start });
    const download = (rest && (await resume(rest, open))) ?? (await open());
    const size = await load(download, { folder, rest, target });
    return { path: target.path, size, resumedFrom: download.start };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw explainFileError(path, error);
  } finally {
    await rest?.handle.close();
  }
}

type Open = (start: OpenMediaOptions['start']) => Promise<MediaDownload>;

interface Destination {
  readonly folder: PartialFolder;
  readonly rest: Rest | undefined;
  readonly target: SaveTarget;
}

/** The download of what is missing; none where what an earlier call left is of no use any more. */
async function resume({ path, etag, size }: Rest, open: Open): Promise<MediaDownload | undefined> {
  try {
    return await open({ byte: size, etag });
  } catch (error) {
    const reason = isMemoryApiError(error) && error.code === 'media_download' ? error.reason : undefined;
    const isOutdated = reason === 'changed' || reason === 'not_resumable';
    // An answer that makes no sense tells nothing of what is here: only a whole file is better.
    if (!isOutdated && reason !== 'invalid') throw error;
    if (isOutdated) await unlink(path).catch(() => {});
    return undefined;
  }
}

async function load(download: MediaDownload, { folder, rest, target }: Destination): Promise<number> {
  const { body, etag, start } = download;
  let file: PartialFile | undefined;
  let size = 0;
  try {
    checkEnd(download);
    file = await folder.create(etag);
    if (rest && start > 0) await takeOver(rest, file, start);
    size = start;
    for await (const chunk of body) {
      await file.write(chunk, size);
      size += chunk.byteLength;
    }
    await file.moveTo(target.path, size);
    await file.close();
  } catch (error) {
    body.cancel().catch(() => {});
    await (isResumable(etag) && size > 0 ? file?.close() : file?.remove());
    throw error;
  }
  await folder.clear().catch(() => {});
  return size;
}

/** Else a file that is cut short would replace a whole one. */
function checkEnd({ isEndKnown }: MediaDownload): void {
  if (isEndKnown) return;
  throw new MediaDownloadError(
    'Failed to save media: the storage sent no size, so a truncated file could not be detected. ' +
      'Configure the storage to send Content-Length, or read the body of openMedia.',
    { reason: 'invalid', bytesReceived: 0 },
  );
}

async function takeOver({ handle, path }: Rest, file: PartialFile, size: number): Promise<void> {
  await file.copy(handle, size);
  await unlink(path).catch(() => {});
}
