import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileError, systemCodeOf } from './file-error.ts';

/** Size and digest of a file. */
export interface FileDigest {
  /** Size in bytes. */
  size: number;
  /** SHA-256 of the content, in hexadecimal. */
  sha256: string;
}

/** An existing file at the time when it was read. */
export interface FoundFile extends FileDigest {
  /** Identity of the file's state. It changes when the file is written or replaced. */
  stamp: string;
}

/**
 * Returns size and digest of a file, or undefined if there is no file. An abort takes effect within a megabyte.
 *
 * @throws CommandError if the path is not a regular file, for example a link or a folder.
 */
export async function digestFile(path: string, signal: AbortSignal): Promise<FoundFile | undefined> {
  const handle = await openIfAny(path);
  if (handle === undefined) return undefined;
  try {
    const status = await handle.stat({ bigint: true });
    if (!status.isFile()) throw fileError(path, 'it is not a file. Move it away, or remove it.');
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
