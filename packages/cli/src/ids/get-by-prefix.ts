import type { Memory, MemoryClient } from '@memory-read/client';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';

const shortest = 4;
const namedIds = 5;

/** What a prefix is looked up with. */
export interface PrefixOptions extends OutputOptions {
  signal: AbortSignal;
}

/**
 * Returns the memory with this id; else the only memory of the account whose id begins with it.
 *
 * The completed id is printed to standard error. If that is not a terminal, the prefix is refused: a script would not
 * notice that the prefix means another memory later.
 *
 * @throws CommandError if several ids begin with the prefix, or the completed id would not be seen.
 */
export async function getByPrefix(client: MemoryClient, id: string, options: PrefixOptions): Promise<Memory> {
  const { signal } = options;
  try {
    return await client.getMemory(id, { signal });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'not_found' || Array.from(id).length < shortest) throw error;
    const listed = await client.listMemories({ signal });
    const found = listed.map((memory) => memory.id).filter((each) => each.startsWith(id));
    const [only] = found;
    if (only === undefined) throw error;
    if (found.length > 1) throw severalIds(id, found);
    if (process.stderr.isTTY !== true || options.quiet === true) throw notSeen(id, only);
    note(`Using ${only}.`, options);
    return await client.getMemory(only, { signal });
  }
}

function severalIds(id: string, found: readonly string[]): CommandError {
  const named = found.slice(0, namedIds).join(', ');
  const list = found.length > namedIds ? `such as ${named}` : named;
  return new CommandError(
    exitCodes.notFound,
    `Failed to get memory ${JSON.stringify(id)}: ${found.length} ids begin with it, ${list}. Pass more of the id.`,
  );
}

function notSeen(id: string, only: string): CommandError {
  return new CommandError(
    exitCodes.notFound,
    `Failed to get memory ${JSON.stringify(id)}: there is no memory with this id. Pass the whole id, ${only}.`,
  );
}
