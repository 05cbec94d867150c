import { createHash } from 'node:crypto';
import type { Mirror, SearchHit } from '@memory-read/mirror';
import { listMirror } from '../mirror/list-mirror.ts';
import { readStoredRow } from '../mirror/stored-row.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { toCandidates } from './candidates.ts';
import { type FindOptions, findLatest, findMemory, latest, type MemorySource, readMemoryText } from './find-memory.ts';

/**
 * Returns the id of the memory of a mirror that a text stands for. See {@link findMemory}.
 *
 * An id that was purged completes to no other: the same `purge` again would remove a second memory.
 *
 * @throws CommandError of `findMemory` or `findLatest`, or if there is no such memory.
 */
export async function findInMirror(
  mirror: Mirror,
  given: string,
  action: string,
  options: FindOptions,
): Promise<string> {
  const source = mirrorSource(mirror, action);
  const text = readMemoryText(given);
  if (text === latest && !options.isId) return findLatest(source, options);
  if ((await mirror.history(text)).length > 0) return text;
  const found = wasPurged(mirror, text) ? undefined : await findMemory(source, text, options);
  if (found !== undefined) return found;
  const problem = source.unknown(text);
  throw new CommandError(exitCodes.notFound, `Failed to ${action} ${JSON.stringify(text)}: ${problem}`);
}

function mirrorSource(mirror: Mirror, action: string): MemorySource {
  return {
    action,
    unknown: (text) =>
      /\s/.test(text)
        ? 'no memory of the mirror has these words. Search other ones with memory-read search.'
        : 'the mirror has no memory with this id, or it was purged. Check the id.',
    async list(signal) {
      const all = await listMirror(mirror, signal);
      const present = all.filter(({ missingSince }) => missingSince === null);
      return [...present, ...all.filter(({ missingSince }) => missingSince !== null)].map(({ memory }) => memory);
    },
    search: async (words) => ({ found: toCandidates(await hitsOfMirror(mirror, words)) }),
  };
}

/** Returns the first hits of each memory. */
export async function hitsOfMirror(mirror: Mirror, words: string): Promise<readonly SearchHit[]> {
  return (await mirror.search(words, { limit: 200, perMemory: 3 })).hits;
}

function wasPurged(mirror: Mirror, id: string): boolean {
  const hash = createHash('sha256').update(id).digest();
  return readStoredRow(mirror, 'SELECT 1 FROM purged WHERE memory_hash = ?', hash) !== undefined;
}
