import type { Memory, MemoryClient } from '@memory-read/client';
import type { MemoryHit } from '@memory-read/client/search';
import { inParallel } from '@memory-read/contract/event-loop';
import { isMirror, mirrorFolder } from '../mirror/find-mirror.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { toCandidates } from './candidates.ts';
import { type FindOptions, findLatest, findMemory, latest, type MemorySource, readMemoryText } from './find-memory.ts';

/** Maximum number of transcripts that a search requests. */
const mostTranscripts = 50;
const concurrency = 4;

/**
 * Calls `use` with the id of the memory that a text stands for. See {@link findMemory}.
 *
 * @throws the error of `use`, or a CommandError of `findMemory` or `findLatest`.
 */
export async function withMemory<T>(
  client: MemoryClient,
  given: string,
  options: FindOptions,
  use: (id: string) => Promise<T>,
): Promise<T> {
  const source = accountSource(client, options.process);
  const text = readMemoryText(given);
  if (text === latest) return use(await findLatest(source, options));
  try {
    return await use(text);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'not_found') throw error;
    const found = await findMemory(source, text, options);
    if (found === undefined) throw error;
    return use(found);
  }
}

/**
 * Returns the memories of an account. A search reads the names and summaries of the list, and the transcripts of the
 * mirror. Only if these have no text with all words, it requests the newest transcripts that the mirror does not have.
 */
export function accountSource(client: MemoryClient, process: CliProcess): MemorySource {
  return {
    action: 'get memory',
    unknown: () => 'no memory has this id or these words. See memory-read list.',
    list: (signal) => client.listMemories({ signal }),
    async search(words, listed, signal) {
      const { searchMemories } = await import('@memory-read/client/search');
      const mirror = await readMirror(process, words, listed, signal);
      const hits: MemoryHit[] = [...searchMemories(listed, words).hits, ...mirror.hits];
      if (hits.some(({ match }) => match === 'together')) return { found: toCandidates(hits) };
      const unread = listed.filter(({ id, is_processing }) => !is_processing && !mirror.ids.has(id));
      const read = await readMemories(client, unread.slice(0, mostTranscripts), signal);
      const found = toCandidates([...searchMemories(read, words).hits, ...hits]);
      return {
        found,
        left:
          unread.length > mostTranscripts
            ? `Only the newest ${mostTranscripts} transcripts were searched. Run memory-read mirror to search all.`
            : undefined,
      };
    },
  };
}

/** Returns what the usual mirror has of the listed memories. It can belong to another account, be old or unusable. */
async function readMirror(
  process: CliProcess,
  words: string,
  listed: readonly Memory[],
  signal: AbortSignal,
): Promise<{ ids: ReadonlySet<string>; hits: readonly MemoryHit[] }> {
  const folder = mirrorFolder(process, undefined);
  if (!isMirror(folder)) return { ids: new Set(), hits: [] };
  const { hitsOfMirror } = await import('./mirror-source.ts');
  const { listMirror } = await import('../mirror/list-mirror.ts');
  const { withMirror } = await import('../mirror/with-mirror.ts');
  const toKey = ({ id, user_id, name, started_at }: Memory) =>
    JSON.stringify([id, user_id, name, Date.parse(started_at)]);
  const ofAccount = new Set(listed.map(toKey));
  try {
    return await withMirror({ folder, readOnly: true }, async (mirror) => {
      const same = (await listMirror(mirror, signal)).filter(({ memory }) => ofAccount.has(toKey(memory)));
      const ids = new Set(same.map(({ memory }) => memory.id));
      return { ids, hits: (await hitsOfMirror(mirror, words)).filter(({ memoryId }) => ids.has(memoryId)) };
    });
  } catch {
    signal.throwIfAborted();
    // The server is searched instead.
    return { ids: new Set(), hits: [] };
  }
}

/** Reads memories, except those that were deleted meanwhile or are invalid. */
async function readMemories(client: MemoryClient, listed: readonly Memory[], signal: AbortSignal): Promise<Memory[]> {
  const read: (Memory | undefined)[] = [];
  await inParallel([...listed.entries()], { concurrency, signal }, async ([index, { id }], signal) => {
    read[index] = await client.getMemory(id, { signal }).catch(ignoreGone);
  });
  return read.filter((memory) => memory !== undefined);
}

function ignoreGone(error: unknown): undefined {
  if (!['not_found', 'invalid_response'].includes(Object(error).code)) throw error;
}
