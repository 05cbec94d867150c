import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { digestFile, stampOf } from '../files/digest-file.ts';
import { shortHash } from '../history/stored-memories.ts';

/** Bytes of the largest file that is searched for an id or a name. A larger file is compared only if its size is known. */
export const LARGEST_DOCUMENT = 64 * 1024 * 1024;

/** What the files of a purged memory have: the id in their text, or bytes that were written. */
export interface SoughtFiles {
  /** Digits of the SHA-256 of the id. */
  shortHash: string;
  /** SHA-256 of the contents that were written. */
  digests: ReadonlySet<string>;
  /** Their sizes, as far as they are known. */
  sizes: ReadonlySet<string>;
  /** Whether a size is not known, such as that of a file that was edited since. */
  hasOtherSizes: boolean;
}

/** Returns what the files of a memory have, in all folders. */
export function soughtFiles(
  database: MirrorDatabase,
  { memoryKey, shortHash }: { memoryKey: number; shortHash: string },
): SoughtFiles {
  const rows = database
    .prepare(
      `SELECT written, intended, stamp, is_edited FROM files WHERE memory_key = :key
      UNION ALL SELECT sha256, NULL, size || ' ', 0 FROM media WHERE memory_key = :key`,
    )
    .all({ key: memoryKey });
  return {
    shortHash,
    digests: new Set(rows.flatMap(({ written, intended }) => [written, intended].map(String))),
    sizes: new Set(rows.map(({ stamp }) => sizeIn(String(stamp)))),
    hasOtherSizes: rows.some((row) => row.is_edited === 1 || row.intended !== null || row.stamp === ''),
  };
}

/**
 * Returns the files that the owner of a folder moved or copied: their paths, relative to `root`, with `/`, and which
 * memories they have. Files that have one of the `others` stamps at its path are those of other memories.
 */
export async function* findMovedFiles<Sought extends SoughtFiles>(
  root: string,
  part: string,
  { memories, others }: { memories: readonly Sought[]; others: ReadonlyMap<string, string> },
): AsyncGenerator<{ path: string; memory: Sought }> {
  for (const file of filesIn(join(root, part))) {
    await yieldToEventLoop();
    const path = relative(root, file).split(sep).join('/');
    const stamp = stampOf(file);
    if (stamp === undefined || others.get(path) === stamp) continue;
    const size = sizeIn(stamp);
    const isSmall = Number(size) <= LARGEST_DOCUMENT;
    const id = isSmall ? idIn(file) : undefined;
    const hash = id === undefined ? undefined : shortHash(id);
    const isCandidate = memories.some(({ sizes, hasOtherSizes }) => sizes.has(size) || (isSmall && hasOtherSizes));
    // A file that cannot be read must not keep the purge from the others.
    const found = isCandidate ? await digestFile(file).catch(() => undefined) : undefined;
    for (const memory of memories) {
      if (memory.shortHash === hash || (found && memory.digests.has(found.sha256))) yield { path, memory };
    }
  }
}

function sizeIn(stamp: string): string {
  return stamp.slice(0, stamp.indexOf(' '));
}

/** Returns the regular files of a folder. Links are not followed. */
export function* filesIn(folder: string): Generator<string> {
  let entries: ReturnType<typeof list>;
  try {
    entries = list(folder);
  } catch {
    // A folder that is missing or cannot be read has no files of ours.
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}

function list(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}

/** Returns the id in the front matter of a page, or of a memory as JSON. Editors write both in other ways than we do. */
function idIn(path: string): string | undefined {
  if (!/\.(md|markdown|json)\b/i.test(basename(path))) return undefined;
  try {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    if (!text.startsWith('---')) return textOf(JSON.parse(text).id);
    const value = /^---\r?\n(?:(?!---)[^\n]*\n)*?id:([^\n]*)/.exec(text)?.[1]?.trim();
    return value?.startsWith('"') ? textOf(JSON.parse(value)) : value?.replace(/^'(.*)'$/, '$1').replaceAll("''", "'");
  } catch {
    // The owner wrote something else into it.
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
