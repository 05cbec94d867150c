import { type BigIntStats, close, constants, fstat, open, read, realpathSync, statSync } from 'node:fs';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { assertOptions } from '../../assert-options.ts';
import { releaseWhenCollected } from '../../http/start-body.ts';
import type { MediaObject, MediaSource } from '../../ports/media-source.ts';
import { objectKeyProblem } from '../../records/value-problems.ts';

/** Options of {@link createDirectoryMediaSource}. */
export interface DirectoryMediaSourceOptions {
  /** Path of the folder. The key of an object is its path in this folder, with one `/` between the segments. */
  path: string;
}

/**
 * Creates a media source over the files of a folder. A key or a link cannot reach a file outside of it.
 *
 * If a file is rewritten while it is read, its stream ends with an error. To replace a file safely, write the new
 * version under another name and rename it over the old one.
 *
 * The tag of a file consists of its size, its mtime and its inode. Links, permissions, owners, attributes and renames
 * within the folder keep it, and do not end a stream. A copy and a restored backup get a new tag.
 *
 * A write that keeps the size and sets the mtime back, as `rsync --inplace --times` does, keeps the tag too. A stream
 * notices it if it changes bytes that were read. A resumed download does not, so give every version its own time.
 *
 * @throws TypeError if `path` is not a string.
 * @throws Error if the folder does not exist. Its `cause` is the error of the system.
 *
 * @example
 * ```ts
 * const source = createDirectoryMediaSource({ path: directory });
 * const object = await source.open('mem_1/audio.wav');
 * console.log(object?.size);
 * ```
 */
export function createDirectoryMediaSource(options: DirectoryMediaSourceOptions): MediaSource {
  assertOptions('open the media directory', options, { path: 'string' }, 'Pass { path }');
  const root = existingDirectory(options.path);
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
  // Node ends the process if a `FileHandle` is collected, so the file is a plain descriptor.
  const descriptor = await openFile(found.file, flags).catch((error: unknown) => {
    throw isMissing(error) ? changedError() : explainReadError(error);
  });
  let last: Uint8Array | undefined;
  try {
    const { ctimeNs } = await stateOf(descriptor, found);
    let position = start;
    let checksum = 0;
    while (position <= end) {
      const chunk = await readChunk(descriptor, position, end);
      position += chunk.length;
      checksum = crc32(chunk, checksum);
      if (position <= end) yield chunk;
      else last = chunk;
    }
    await assertSameBytes({ descriptor, found, start, end, ctimeNs, checksum });
  } finally {
    await closeFile(descriptor);
  }
  // The last chunk is sent only after the file is known to be unchanged, and holds no file open.
  if (last !== undefined) yield last;
}

async function readChunk(descriptor: number, position: number, end: number): Promise<Uint8Array> {
  const chunk = new Uint8Array(Math.min(chunkBytes, end - position + 1));
  const bytesRead = await readFile(descriptor, chunk, position);
  if (bytesRead === 0) throw changedError();
  return chunk.subarray(0, bytesRead);
}

/** Bytes that were read, with their checksum and the ctime before the first of them. */
interface ReadBytes {
  descriptor: number;
  found: FoundFile;
  start: number;
  end: number;
  ctimeNs: bigint;
  checksum: number;
}

/**
 * A link, other permissions, an attribute and a write whose mtime is set back all change the ctime. Only the bytes
 * show which of them it was, so they are read again.
 */
async function assertSameBytes({ descriptor, found, start, end, ctimeNs, checksum }: ReadBytes): Promise<void> {
  let compared = ctimeNs;
  for (;;) {
    const now = await stateOf(descriptor, found);
    if (now.ctimeNs === compared) return;
    compared = now.ctimeNs;
    let current = 0;
    for (let position = start; position <= end; ) {
      const chunk = await readChunk(descriptor, position, end);
      position += chunk.length;
      current = crc32(chunk, current);
    }
    if (current !== checksum) throw changedError();
  }
}

/** Returns the state of the open file. It must have the tag of the file that was found, and be within the folder. */
async function stateOf(descriptor: number, { root, file, stats }: FoundFile): Promise<BigIntStats> {
  const now = await statFile(descriptor, { bigint: true });
  if (now.isFile() && etagOf(now) === etagOf(stats) && isWithin(root, await placeOf(descriptor, file))) return now;
  throw changedError();
}

const openFile = promisify(open);
const statFile: (descriptor: number, options: { bigint: true }) => Promise<BigIntStats> = promisify(fstat);
const readFile = promisify((descriptor: number, chunk: Uint8Array, position: number, callback: ReadCallback) => {
  read(descriptor, chunk, 0, chunk.length, position, callback);
});

type ReadCallback = (error: Error | null, bytesRead: number) => void;

/** Ignores an error: the system has released the descriptor, and the bytes were read before. */
function closeFile(descriptor: number): Promise<void> {
  return new Promise((resolve) => close(descriptor, () => resolve()));
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

/** Returns the path of an open file. Linux reads it from the descriptor, so a later rename of the path does not matter. */
function placeOf(descriptor: number, file: string): Promise<string> {
  return process.platform === 'linux' ? readlink(`/proc/self/fd/${descriptor}`) : realpath(file);
}

/** Uses a generator, which runs one request at a time: its `finally` closes the file even if a read is cancelled. */
function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  const stream = new ReadableStream<Uint8Array>(
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
  releaseWhenCollected(stream, () => chunks.return(undefined));
  return stream;
}

/** Leaves out the ctime, because a backup with hard links and a change of permissions do not change the bytes. */
function etagOf({ size, mtimeNs, ino }: BigIntStats): string {
  return `"${[size, mtimeNs, ino].map((value) => value.toString(36)).join('-')}"`;
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
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(Object(error).code);
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
