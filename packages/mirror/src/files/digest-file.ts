import { createHash } from 'node:crypto';
import { type BigIntStats, constants, lstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** A regular file at the time when it was read. */
export interface FileDigest {
  /** Size in bytes. */
  size: number;
  /** SHA-256 of the content, in hexadecimal. */
  sha256: string;
  /** State of the file, as `stampOf` returns it. */
  stamp: string;
}

/** Returns the digest of a file; undefined if the path is missing or is not a regular file. */
export async function digestFile(path: string, signal?: AbortSignal): Promise<FileDigest | undefined> {
  const handle = await openIfAny(path);
  if (handle === undefined) return undefined;
  try {
    const status = await handle.stat({ bigint: true });
    if (!status.isFile()) return undefined;
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false, highWaterMark: 1_048_576 })) {
      signal?.throwIfAborted();
      hash.update(chunk);
      size += chunk.length;
    }
    return { size, sha256: hash.digest('hex'), stamp: toStamp(status) };
  } finally {
    await handle.close();
  }
}

/**
 * Returns the state of a path, which changes when a file is written or replaced; undefined if the path is missing. It
 * opens no file, and does not follow a link.
 */
export function stampOf(path: string): string | undefined {
  const status = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return status && toStamp(status);
}

/** The time of the status is left out, because a hard link changes it. */
function toStamp({ size, mtimeNs, ino }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ino}`;
}

/** A folder, a link, a pipe or a socket is not a file. */
const notFiles = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO'];

async function openIfAny(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (notFiles.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
