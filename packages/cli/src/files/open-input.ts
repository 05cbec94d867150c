import { constants, createReadStream, fstatSync, openSync, type Stats } from 'node:fs';
import type { Readable } from 'node:stream';

/** An open file or pipe. */
export interface Input {
  /** The bytes; also has their number so far. */
  stream: Readable & { readonly bytesRead: number };
  stats: Stats;
}

/** Opens a file or a pipe to read it. A pipe without a writer does not block it, so that a signal can end it. */
export async function openInput(path: string): Promise<Input> {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stats = fstatSync(descriptor);
  if (!stats.isFIFO()) return { stream: createReadStream(path, { fd: descriptor }), stats };
  const { Socket } = await import('node:net');
  return { stream: new Socket({ fd: descriptor, readable: true, writable: false }), stats };
}
