import { hash } from 'node:crypto';
import type { Memory } from '@memory-read/client';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { isMirrorError, MirrorError } from '../errors/mirror-error.ts';
import { isOfStoredValue } from '../errors/stored-values.ts';

// SQLITE_LOCKED, which follows a read that broke off, and SQLITE_CORRUPT: https://sqlite.org/rescode.html
const damages: ReadonlySet<unknown> = new Set([6, 11]);

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
  throw damagedVersion(memoryId, version);
}

export function damagedVersion(memoryId: unknown, version: unknown): MirrorError {
  return damaged(memoryId, `its version ${Number(version)} is damaged in the mirror`);
}

/**
 * Returns if the table and its index agree about an id.
 *
 * @throws {@link MirrorError} with the code `damaged`.
 */
export function assertUnknown(database: MirrorDatabase, memoryId: string): void {
  const isIn = (table: string) =>
    database.prepare(`SELECT 1 FROM ${table} WHERE memory_id = ?`).get(memoryId) !== undefined;
  if (isIn('memories') !== isIn('memories NOT INDEXED')) throw damaged(memoryId, 'its row in the mirror is damaged');
}

function damaged(memoryId: unknown, reason: string): MirrorError {
  const message = `Failed to read memory ${JSON.stringify(memoryId)}: ${reason}. Run memory-read mirror --repair.`;
  return new MirrorError('damaged', message);
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

/** Returns whether an error says that what is stored is damaged: one of this package, of SQLite, or of a stored value. */
export function isDamage(error: unknown): boolean {
  const { errcode } = Object(error);
  return (isMirrorError(error) && error.code === 'damaged') || isOfStoredValue(error) || damages.has(errcode & 0xff);
}

/** Returns the value of stored JSON; undefined if it is damaged. An error of `JSON.parse` would quote it. */
export function parseStored(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
