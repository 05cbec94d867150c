import type { MemoryClient } from '@memory-read/client';
import type { Mirror } from '@memory-read/mirror';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';

const shortest = 4;
const namedIds = 5;

/** Streams for the search of an id. */
export interface PrefixOptions extends OutputOptions {
  signal: AbortSignal;
}

/** What an id is completed from. */
export interface IdSource {
  /** What fails without the whole id, such as `get memory`. */
  action: string;
  /** Exit code if several ids begin with the prefix. */
  severalIds: number;
  listIds(signal: AbortSignal): Promise<readonly string[]>;
}

/** Returns the ids of an account. */
export function idsOfAccount(client: MemoryClient): IdSource {
  const listIds = async (signal: AbortSignal) => (await client.listMemories({ signal })).map(({ id }) => id);
  return { action: 'get memory', severalIds: exitCodes.notFound, listIds };
}

/** Returns the ids of a mirror, also those of memories that are missing on the server. */
export function idsOfMirror(mirror: Mirror, action: string): IdSource {
  const listIds = async (signal: AbortSignal) => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      signal.throwIfAborted();
      const page = await mirror.listMemories({ limit: 1_000, cursor });
      for (const { memory } of page.memories) ids.push(memory.id);
      cursor = page.cursor ?? undefined;
    } while (cursor !== undefined);
    return ids;
  };
  return { action, severalIds: exitCodes.usage, listIds };
}

/**
 * Calls `use` with the id; if that memory does not exist, with the only id of the account that begins with it.
 *
 * @throws the error of `use`, or a CommandError of `completeId`.
 */
export async function withWholeId<T>(
  client: MemoryClient,
  id: string,
  options: PrefixOptions,
  use: (id: string) => Promise<T>,
): Promise<T> {
  try {
    return await use(id);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'not_found') throw error;
    const whole = await completeId(idsOfAccount(client), id, options);
    if (whole === undefined) throw error;
    return use(whole);
  }
}

/**
 * Returns the only id of the source that begins with the id of no memory, or undefined.
 *
 * The completed id is printed to standard error. If that is not a terminal, the prefix is refused: a script would not
 * notice that the prefix means another memory later.
 *
 * @throws CommandError if several ids begin with the prefix, or the completed id would not be seen.
 */
export async function completeId(source: IdSource, id: string, options: PrefixOptions): Promise<string | undefined> {
  if (Array.from(id).length < shortest) return undefined;
  const found = (await source.listIds(options.signal)).filter((each) => each.startsWith(id));
  const [only] = found;
  if (only === undefined || found.includes(id)) return undefined;
  const failed = `Failed to ${source.action} ${JSON.stringify(id)}`;
  if (found.length > 1) {
    const problem = `${found.length} ids begin with it, ${someOf(found)}. Pass more of the id.`;
    throw new CommandError(source.severalIds, `${failed}: ${problem}`);
  }
  if (options.process.stderr.isTTY !== true || options.quiet === true) {
    const problem = `there is no memory with this id. Pass the whole id, ${only}.`;
    throw new CommandError(exitCodes.notFound, `${failed}: ${problem}`);
  }
  note(`Using ${only}.`, options);
  return only;
}

function someOf(found: readonly string[]): string {
  const named = found.toSorted().slice(0, namedIds).join(', ');
  return found.length > namedIds ? `such as ${named}` : named;
}
