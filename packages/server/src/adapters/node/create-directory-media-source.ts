import { type BigIntStats, constants, realpathSync, statSync } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { MediaObject, MediaSource } from '../../ports/media-source.ts';
import { objectKeyProblem } from '../../records/media-reference-problem.ts';

/** Options of {@link createDirectoryMediaSource}. */
export interface DirectoryMediaSourceOptions {
  /** Path of the folder. The key of an object is its path in this folder, with one `/` between the segments. */
  path: string;
}

/**
 * Creates a media source over the files of a folder. A key or a link cannot reach a file outside of it.
 *
 * If a file is rewritten or replaced while it is read, its stream ends with an error. To replace a file safely, write
 * the new version under another name and rename it. The tag of a file changes with every write, rename and change of
 * permissions.
 *
 * @throws Error if the folder does not exist. Its `cause` is the error of the system.
 *
 * @example
 * ```ts
 * const source = createDirectoryMediaSource({ path: directory });
 * const object = await source.open('mem_1/audio.wav');
 * console.log(object?.size);
 * ```
 */
export function createDirectoryMediaSource({ path }: DirectoryMediaSourceOptions): MediaSource {
  const root = existingDirectory(path);
  return {
    async open(objectKey) {
      if (!isPathBelow(objectKey)) return undefined;
      try {
        const file = await realpath(join(root, objectKey));
        if (!isWithin(root, file)) return undefined;
        const stats = await lstat(file, { bigint: true });
        return stats.isFile() ? createMediaObject(root, file, stats) : undefined;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw explainReadError(error);
      }
    },
  };
}

const chunkBytes = 64 * 1024;

function createMediaObject(root: string, file: string, stats: BigIntStats): MediaObject {
  const size = Number(stats.size);
  return {
    size,
    etag: etagOf(stats),
    stream: (range = { start: 0, end: size - 1 }) => toStream(readRange({ root, file, stats }, range.start, range.end)),
  };
}

/** A file, and its state when it was found. */
interface FoundFile {
  root: string;
  file: string;
  stats: BigIntStats;
}

async function* readRange(found: FoundFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  // A link or a pipe may have replaced the file: the flags neither follow the link nor wait for the pipe.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(found.file, flags).catch((error: unknown) => {
    throw explainReadError(error);
  });
  try {
    await assertSameFile(handle, found);
    let position = start;
    while (position <= end) {
      const chunk = new Uint8Array(Math.min(chunkBytes, end - position + 1));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
      if (bytesRead === 0) throw changedError();
      position += bytesRead;
      // The last chunk is sent only after the file is known to be unchanged.
      if (position > end) await assertSameFile(handle, found);
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function assertSameFile(handle: FileHandle, { root, file, stats }: FoundFile): Promise<void> {
  const now = await handle.stat({ bigint: true });
  // Renaming a new version over the file changes the ctime of the old file, but not its bytes.
  const ctimeNs = now.nlink < stats.nlink ? stats.ctimeNs : now.ctimeNs;
  const isUnchanged = now.isFile() && etagOf({ ...now, ctimeNs }) === etagOf(stats);
  if (isUnchanged && isWithin(root, await placeOf(handle, file))) return;
  throw changedError();
}

function explainReadError(error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code !== 'EACCES' && code !== 'EPERM') return error;
  const problem = `this user may not read ${path}`;
  return new Error(`Failed to read a media file: ${problem}. Give it read permission.`, { cause: error });
}

function changedError(): Error {
  return new Error('Failed to read a media file: the file changed during the request. Request it again.');
}

/** Returns the path of an open file. Linux reads it from the handle, so a later rename of the path does not matter. */
function placeOf(handle: FileHandle, file: string): Promise<string> {
  return process.platform === 'linux' ? readlink(`/proc/self/fd/${handle.fd}`) : realpath(file);
}

/** Uses a generator, which runs one request at a time: its `finally` closes the file even if a read is cancelled. */
function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Includes the ctime, which no tool can set back as `rsync --times` does the mtime. */
function etagOf({ size, mtimeNs, ctimeNs, ino }: Pick<BigIntStats, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino'>): string {
  return `"${[size, mtimeNs, ctimeNs, ino].map((value) => value.toString(36)).join('-')}"`;
}

function isPathBelow(objectKey: string): boolean {
  if (objectKeyProblem(objectKey) !== undefined) return false;
  // On Windows, a backslash separates folders, and a colon names a drive or a hidden stream.
  if (process.platform === 'win32' && /[\\:]/.test(objectKey)) return false;
  // A file system skips empty segments, so several keys would name one file.
  return !objectKey.split('/').includes('');
}

function isWithin(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENAMETOOLONG';
}

function existingDirectory(path: string): string {
  let cause: unknown;
  try {
    if (statSync(path).isDirectory()) return realpathSync(path);
  } catch (error) {
    cause = error;
  }
  throw new Error(
    `Failed to open the media directory: ${JSON.stringify(path)} is not a readable directory. Create it, or pass another path.`,
    { cause },
  );
}
