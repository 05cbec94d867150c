import { hash } from 'node:crypto';
import type { Memory } from '@memory-read/client';
import { isMirrorError, MirrorError } from '../errors/mirror-error.ts';

/** Data of a version that its digest covers. */
export interface VersionContent {
  memoryId: string;
  version: number;
  seenAt: number;
  /** Kinds of media that had a URL, separated by spaces. */
  media: string;
  /** The memory as JSON. */
  content: string;
}

/** Returns the SHA-256 of a version. */
export function digestOfVersion({ memoryId, version, seenAt, media, content }: VersionContent): string {
  return hash('sha256', `${JSON.stringify([memoryId, version, seenAt, media])}\n${content}`);
}

/**
 * Returns the memory of a row of `versions` with its `memory_id`. All readers of stored memories use it.
 *
 * A mirror of an earlier version that is open for reading only has no digests.
 *
 * @throws {@link MirrorError} with the code `damaged`, without any text of the memory.
 */
export function readVersion(row: Readonly<Record<string, unknown>>): Memory {
  const { memory_id: memoryId, version, content, sha256 } = row;
  if (typeof content === 'string' && (sha256 == null || sha256 === digestOfRow(row))) {
    const memory = parseStored(content) as Memory | undefined;
    if (Object(memory).id === memoryId) return memory as Memory;
  }
  const reason = `its version ${Number(version)} is damaged in the mirror`;
  const message = `Failed to read memory ${JSON.stringify(memoryId)}: ${reason}. Run memory-read mirror --repair.`;
  throw new MirrorError('damaged', message);
}

/** Returns the digest that a row of `versions` with its `memory_id` should have. */
export function digestOfRow({
  memory_id,
  version,
  seen_at,
  media,
  content,
}: Readonly<Record<string, unknown>>): string {
  const seenAt = Number(seen_at);
  return digestOfVersion({
    ...{ memoryId: String(memory_id), version: Number(version), seenAt },
    ...{ media: String(media), content: String(content) },
  });
}

/** Returns what reads return; undefined if what they read is damaged. */
export function ifWhole<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

export function isDamage(error: unknown): boolean {
  return isMirrorError(error) && error.code === 'damaged';
}

/** Returns the value of stored JSON; undefined if it is damaged. An error of `JSON.parse` would quote it. */
export function parseStored(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
