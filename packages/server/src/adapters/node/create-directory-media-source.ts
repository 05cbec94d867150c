import { type BigIntStats, constants, realpathSync, statSync } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { MediaObject, MediaSource } from '../../ports/media-source.ts';
import { objectKeyProblem } from '../../records/media-reference-problem.ts';

/** Where {@link createDirectoryMediaSource} reads. */
export interface DirectoryMediaSourceOptions {
  /** The directory; an object's key is its path below it, with one `/` between the segments. */
  path: string;
}

/**
 * Media from the files of a directory. What lies outside of it cannot be reached, neither by a key nor by a link.
 *
 * A file that is rewritten while it is being read, or replaced between the two, ends its stream with an error instead of
 * bytes of two versions. Write a new version under another name and rename it: readers of the old one then finish it.
 * The tag of a file changes with every write, and also with a new name or new permissions.
 *
 * @throws Error with the system's error as `cause` when there is no such directory.
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
        throw error;
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

/** Which file is meant, and what it was when it was found. */
interface FoundFile {
  root: string;
  file: string;
  stats: BigIntStats;
}

async function* readRange(found: FoundFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  // A link or pipe may have taken the file's place: the one is not followed, the other not waited for.
  const handle = await open(found.file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    await assertSameFile(handle, found);
    let position = start;
    while (position <= end) {
      const chunk = new Uint8Array(Math.min(chunkBytes, end - position + 1));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
      if (bytesRead === 0) throw changedError();
      position += bytesRead;
      // The last bytes are held back until it is sure that none of those before them came from another version.
      if (position > end) await assertSameFile(handle, found);
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function assertSameFile(handle: FileHandle, { root, file, stats }: FoundFile): Promise<void> {
  const now = await handle.stat({ bigint: true });
  // To lose a name, as when a new version is renamed over it, changes the ctime of a file and not its bytes.
  const ctimeNs = now.nlink < stats.nlink ? stats.ctimeNs : now.ctimeNs;
  const isUnchanged = now.isFile() && etagOf({ ...now, ctimeNs }) === etagOf(stats);
  if (isUnchanged && isWithin(root, await placeOf(handle, file))) return;
  throw changedError();
}

function changedError(): Error {
  return new Error('Failed to read media: because the file changed after it was found. Request it again.');
}

/** Where an open file lies. Linux knows it of the handle itself, whatever is done to the path meanwhile. */
function placeOf(handle: FileHandle, file: string): Promise<string> {
  return process.platform === 'linux' ? readlink(`/proc/self/fd/${handle.fd}`) : realpath(file);
}

/** A generator takes its requests in turn: also after a cancel amid a read, its `finally` closes the file. */
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

/** With the ctime, which no tool can set back as `rsync --times` does the mtime. */
function etagOf({ size, mtimeNs, ctimeNs, ino }: Pick<BigIntStats, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino'>): string {
  return `"${[size, mtimeNs, ctimeNs, ino].map((value) => value.toString(36)).join('-')}"`;
}

function isPathBelow(objectKey: string): boolean {
  if (objectKeyProblem(objectKey) !== undefined) return false;
  // There they are no part of a name: they separate directories, and name drives and hidden streams.
  if (process.platform === 'win32' && /[\\:]/.test(objectKey)) return false;
  // A file system passes over empty segments, so several keys would name one file.
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
    `Failed to open the media directory: because ${JSON.stringify(path)} is no directory that can be read. Create it first, or pass another path.`,
    { cause },
  );
}
