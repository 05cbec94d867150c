import { unlink } from 'node:fs/promises';
import type { MediaKind } from '@memory-read/contract';
import { located } from '../call-site.ts';
import type { Client } from '../client.ts';
import { checkOptions, checkValue, type OptionTable } from '../configuration/check-options.ts';
import { kind as kindOf, oneOf } from '../configuration/option-kinds.ts';
import { MediaDownloadError } from '../errors/errors.ts';
import { isMemoryApiError } from '../errors/is-memory-api-error.ts';
import type { MediaDownload, OpenMediaOptions } from '../media/media-options.ts';
import { downloadTable, openMedia } from '../media/open-media.ts';
import type { MemoryClient } from '../memory-client.ts';
import { closeFile } from './close-file.ts';
import { suffixOf } from './media-suffix.ts';
import type { PartialFile } from './partial-file.ts';
import { isResumable, PartialFolder, type Rest } from './partial-folder.ts';
import { explainFileError } from './save-error.ts';
import { findTarget, type SaveTarget, saveAction } from './save-target.ts';

/** Options of {@link saveMedia}: those of `openMedia` without `start`, which is determined automatically. */
export interface SaveMediaOptions extends Omit<OpenMediaOptions, 'start'> {
  /**
   * Handling of a body whose end is not marked, as over HTTP/2 without a size. `refuse` rejects it, because a truncated body
   * could replace a complete file. `accept` saves it. Default: `refuse`.
   */
  unknownEnd?: 'refuse' | 'accept' | undefined;
}

/** What is known of media before they are saved, for a function that returns the path. */
export interface MediaToSave {
  /** Media type of the storage, such as `audio/wav`; null if it sent none. */
  readonly contentType: string | null;
  /**
   * File extension of the media type: `.wav`, `.mp3`, `.m4a`, `.ogg`, `.webm`, `.mp4`, `.png`, `.jpg` or `.webp`. It is empty
   * for any other type.
   */
  readonly suffix: string;
}

/** A saved file. */
export interface SavedMedia {
  /** Absolute path without symbolic links. */
  readonly path: string;
  /** Media type of the storage, such as `audio/wav`; null if it sent none. */
  readonly contentType: string | null;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Number of bytes that an earlier call had saved and that were not downloaded again. */
  readonly resumedFrom: number;
}

/**
 * Saves media to a file. The file is either complete or unchanged. See section 2.1.1 of the specification.
 *
 * The bytes are written to a hidden file beside the target, whose name contains their ETag. If a call is interrupted,
 * even by a crash, the next call resumes it unless the object has changed. Several processes can save to the same path.
 * A replaced file keeps its permissions.
 *
 * Some file systems and runtimes refuse a step that a complete file can do without: Azure Files, vfat, CIFS, `node
 * --permission`, Deno. Such a step is skipped:
 *
 * - the permissions of the file. A file system that has them then keeps the file private to its owner (mode 0600).
 * - the sync of the file and its folder to disk. A power failure can then damage or lose the file.
 * - the check that a partial file belongs to this user. No one but its owner must then be able to read it.
 * - the list of the folder. No partial file is then resumed or removed.
 *
 * Any other error of these steps, such as `EIO` or `ENOSPC`, is a failure.
 *
 * The path can be a function, which is called once the storage has responded. An error that it throws is passed on.
 *
 * @throws a {@link MediaUnavailableError} if the memory has no such media.
 * @throws a {@link MediaDownloadError} if the download fails. The next call resumes it.
 * @throws an {@link Error} with the `code` of the system, such as `ENOSPC`, if the file cannot be written. Where a permission
 * model forbids it, the `code` is `ERR_ACCESS_DENIED` (Node.js) or `NotCapable` (Deno).
 * @throws a {@link MemoryNotFoundError} if the memory does not exist or belongs to another account.
 * @throws an {@link AuthenticationError} if the API key is missing or invalid.
 * @throws an {@link InvalidRequestError} if the server rejects the id as malformed (422).
 * @throws a {@link RateLimitError} if the server still responds with 429 after the retries.
 * @throws a {@link ServerError} if the server still responds with 5xx after the retries.
 * @throws a {@link ConnectionError} if the API sends no complete response, even after the retries.
 * @throws a {@link RequestTimeoutError} if the download exceeds `totalTimeout`, or reading the memory times out.
 * @throws an {@link InvalidResponseError} if the response of the API violates the contract.
 * @throws an {@link UnexpectedResponseError} if the API responds with any other status, such as 403 or a redirect.
 * @throws a {@link ConfigurationError} if the id, the kind, the path or an option is invalid.
 *
 * @example
 * ```ts
 * const saved = await saveMedia(client, 'mem_1', 'audio', ({ suffix }) => join(folder, `mem_1${suffix}`));
 * console.log(`${saved.size} bytes, of which ${saved.resumedFrom} were there already`);
 * ```
 */
export function saveMedia(
  client: Client | Pick<MemoryClient, 'baseUrl' | 'openMedia'>,
  memoryId: string,
  kind: MediaKind,
  path: string | ((media: MediaToSave) => string | Promise<string>),
  options: SaveMediaOptions = {},
): Promise<SavedMedia> {
  return located(save(client, { memoryId, kind, path, options }), new Error());
}

interface Order {
  readonly memoryId: string;
  readonly kind: MediaKind;
  readonly path: string | ((media: MediaToSave) => string | Promise<string>);
  readonly options: SaveMediaOptions;
}

async function save(
  client: Parameters<typeof saveMedia>[0],
  { memoryId, kind, path, options }: Order,
): Promise<SavedMedia> {
  checkValue(saveAction, 'the first argument', client, clientKind);
  const { unknownEnd = 'refuse', ...downloadOptions } = checkOptions(saveAction, saveTable, options);
  const order = {
    unknownEnd,
    signal: downloadOptions.signal,
    origin: [client.baseUrl, memoryId, kind],
    open: async (start?: OpenMediaOptions['start']) => {
      const openOptions = { ...downloadOptions, start };
      // A subclass may replace the method, and a client of another copy of the package has no state here.
      if ('openMedia' in client) return client.openMedia(memoryId, kind, openOptions);
      return openMedia(client, memoryId, kind, openOptions);
    },
  };
  if (typeof path !== 'function') return saveTo(path, order);
  const opened = await order.open();
  // Nothing is read before the path is known, but an abort and the total timeout end the body.
  const reader = opened.body.getReader();
  try {
    checkType(opened);
    const { contentType } = opened;
    const chosen = (async () => path({ contentType, suffix: suffixOf(contentType) }))();
    const target = await Promise.race([chosen, reader.closed.then(() => chosen)]);
    reader.releaseLock();
    return await saveTo(target, { ...order, opened });
  } finally {
    reader.releaseLock();
    opened.body.cancel().catch(() => {});
  }
}

interface SaveOrder {
  readonly unknownEnd: SaveMediaOptions['unknownEnd'];
  readonly signal: AbortSignal | undefined;
  /** What identifies the object, beside its ETag. */
  readonly origin: readonly string[];
  readonly open: Open;
  /** A download from the first byte that has begun. */
  readonly opened?: MediaDownload;
}

async function saveTo(path: string, order: SaveOrder): Promise<SavedMedia> {
  const { unknownEnd, signal, origin, open, opened } = order;
  let rest: Rest | undefined;
  try {
    const target = await findTarget(path);
    const folder = new PartialFolder(target, origin);
    rest = await folder.openRest();
    const usable = opened === undefined || opened.etag === rest?.etag ? rest : undefined;
    // Some storages and pools allow one connection at a time.
    if (usable) await opened?.body.cancel();
    const download = (usable ? await resume(usable, open, signal) : opened) ?? (await open());
    const size = await load(download, { folder, rest, target, unknownEnd });
    const contentType = download.contentType ?? opened?.contentType ?? null;
    return { path: target.path, contentType, size, resumedFrom: download.start };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw explainFileError(path, error);
  } finally {
    if (rest) await closeFile(rest.handle);
  }
}

const clientKind = kindOf('a client', 'Pass the client to download with.', (value) =>
  Boolean((value as Client | undefined)?.baseUrl),
);

const saveTable: OptionTable = { ...downloadTable, unknownEnd: oneOf('refuse', 'accept') };

type Open = (start?: OpenMediaOptions['start']) => Promise<MediaDownload>;

interface Destination {
  readonly folder: PartialFolder;
  readonly rest: Rest | undefined;
  readonly target: SaveTarget;
  readonly unknownEnd: SaveMediaOptions['unknownEnd'];
}

/** Opens a download of the missing bytes. Returns undefined if the saved bytes cannot be used. */
async function resume(
  { path, etag, size }: Rest,
  open: Open,
  signal: AbortSignal | undefined,
): Promise<MediaDownload | undefined> {
  try {
    return await open({ byte: size, etag });
  } catch (error) {
    // The reason of a signal can be the error of another download.
    if (signal?.aborted) throw error;
    const reason = isMemoryApiError(error) && error.code === 'media_download' ? error.reason : undefined;
    const isOutdated = reason === 'changed' || reason === 'not_resumable';
    // An invalid response says nothing about the saved bytes: only a complete file replaces them.
    if (!isOutdated && reason !== 'invalid') throw error;
    if (isOutdated) await unlink(path).catch(() => {});
    return undefined;
  }
}

async function load(download: MediaDownload, { folder, rest, target, unknownEnd }: Destination): Promise<number> {
  const { body, etag, start } = download;
  let file: PartialFile | undefined;
  let size = 0;
  try {
    checkType(download);
    if (unknownEnd !== 'accept') checkEnd(download);
    file = await folder.create(etag);
    if (rest && start > 0) await takeOver(rest, file, start);
    size = start;
    for await (const chunk of body) {
      if (size === 0 && download.contentType === null) checkStart(chunk);
      await file.write(chunk, size);
      size += chunk.byteLength;
    }
    await file.moveTo(target.path, size);
  } catch (error) {
    body.cancel().catch(() => {});
    await (isResumable(etag) && size > 0 ? file?.close() : file?.remove());
    throw error;
  }
  await folder.clear().catch(() => {});
  return size;
}

/** Otherwise a sign-in page of a proxy could replace a complete file. */
function checkType({ contentType }: MediaDownload): void {
  // Two headers arrive joined by a comma.
  const type = /\b(text\/(html|xml|json)|application\/([\w.-]+\+)?(json|xml|xhtml))\b/i.exec(contentType ?? '')?.[0];
  if (type) throw invalid(`the storage sent ${type}, which is not media. Check the storage and any proxy`);
}

/** A page without a type begins like one. */
function checkStart(chunk: Uint8Array): void {
  const start = new TextDecoder().decode(chunk.subarray(0, 64));
  if (/^\s*<(!doctype\s|html|\?xml)/i.test(start))
    throw invalid('the storage sent a page, which is not media. Check the storage and any proxy');
}

/** Otherwise a truncated file could replace a complete one. */
function checkEnd({ isEndKnown }: MediaDownload): void {
  if (isEndKnown) return;
  throw invalid(
    'the storage sent no size, so a truncated file could not be detected. ' +
      "Configure the storage to send Content-Length, or pass unknownEnd: 'accept' to save the body as it is",
  );
}

function invalid(problem: string): MediaDownloadError {
  return new MediaDownloadError(`Failed to save media: ${problem}.`, { reason: 'invalid', bytesReceived: 0 });
}

async function takeOver({ handle, path }: Rest, file: PartialFile, size: number): Promise<void> {
  await file.copy(handle, size);
  await unlink(path).catch(() => {});
}
