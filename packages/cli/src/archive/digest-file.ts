import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { archiveError, systemCodeOf } from './archive-error.ts';

/** What lies at a path. */
export interface FileDigest {
  /** Bytes. */
  size: number;
  /** In hexadecimal. */
  sha256: string;
}

/** A file that lies there, as it was when it was read. */
export interface FoundFile extends FileDigest {
  /** Another one as soon as somebody writes to the file, or puts another in its place. */
  stamp: string;
}

/**
 * Returns size and digest of a file; undefined if there is none. An abort takes effect within a megabyte.
 *
 * @throws CommandError when it is something else, such as a link or a folder.
 */
export async function digestFile(path: string, signal: AbortSignal): Promise<FoundFile | undefined> {
  const handle = await openIfAny(path);
  if (handle === undefined) return undefined;
  try {
    const status = await handle.stat({ bigint: true });
    if (!status.isFile()) throw archiveError(path, 'it is no file. Move it away, or remove it.');
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false, highWaterMark: 1_048_576 })) {
      signal.throwIfAborted();
      hash.update(chunk);
      size += chunk.length;
    }
    return { size, sha256: hash.digest('hex'), stamp: stampOf(status) };
  } finally {
    await handle.close();
  }
}

export function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join();
}

export function digestText(text: string): FileDigest {
  return { size: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
}

async function openIfAny(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
