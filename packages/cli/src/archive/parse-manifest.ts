import { fileError } from '../files/file-error.ts';
import type { ArchivedMemory } from './archived-memory.ts';

/** Content of a manifest. */
export interface ManifestContent {
  /** Account that owns the memories. */
  userId?: string | undefined;
  /** Digest of the base URL of the server. */
  server?: string | undefined;
  /** ISO 8601 date-time since which the list is empty. */
  emptySince?: string | undefined;
  memories: ArchivedMemory[];
}

/** @throws CommandError if the text is not a manifest, or a newer version has written it. */
export function parseManifest(text: string, path: string): ManifestContent {
  const value = parseJson(text);
  if (isObject(value) && typeof value.version === 'number' && value.version > 1) {
    throw fileError(path, `it was written by a newer version (${value.version}). Update memory-read.`);
  }
  if (isObject(value) && value.version === 1 && isManifest(value)) return value;
  throw fileError(path, 'it was not written by memory-read. Choose another folder, or remove the file.');
}

/** Applies the journal of an unfinished run. Its last line may be incomplete. */
export function readJournal(text: string, before: ManifestContent): ManifestContent {
  const memories = new Map(before.memories.map((memory) => [memory.id, memory]));
  let { userId, server, emptySince } = before;
  for (const line of text.split('\n')) {
    const change = parseJson(line);
    if (!isObject(change)) continue;
    if (typeof change.userId === 'string') userId = change.userId;
    if (typeof change.server === 'string') server = change.server;
    if ('emptySince' in change) emptySince = change.emptySince === null ? undefined : String(change.emptySince);
    if (isArchivedMemory(change.memory)) memories.set(change.memory.id, change.memory);
  }
  return { userId, server, emptySince, memories: [...memories.values()] };
}

function isManifest(value: Record<string, unknown>): value is Record<string, unknown> & ManifestContent {
  const isOwned = value.userId === undefined || typeof value.userId === 'string';
  return isOwned && Array.isArray(value.memories) && value.memories.every(isArchivedMemory);
}

function isArchivedMemory(value: unknown): value is ArchivedMemory {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    isFileName(value.stem) &&
    isObject(value.seen) &&
    isObject(value.files) &&
    Object.values(value.files).every(isArchivedFile)
  );
}

function isArchivedFile(value: unknown): boolean {
  if (!isObject(value) || !isFileName(value.path)) return false;
  return value.pending === undefined || (isObject(value.pending) && isFileName(value.pending.source));
}

/** A user can edit the manifest, so its file names must not point out of the folder. */
function isFileName(value: unknown): boolean {
  return typeof value === 'string' && /^[^/\\\0]+$/.test(value) && !value.startsWith('.');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
