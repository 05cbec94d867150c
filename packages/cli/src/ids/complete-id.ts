import type { MemoryClient } from '@memory-read/client';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';

const shortest = 4;
const namedIds = 5;

/** Client and streams for the search of an id. */
export interface PrefixOptions extends OutputOptions {
  signal: AbortSignal;
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
    const whole = await completeId(client, id, options);
    if (whole === undefined) throw error;
    return use(whole);
  }
}

/**
 * Returns the only id of the account that begins with the id of no memory, or undefined.
 *
 * The completed id is printed to standard error. If that is not a terminal, the prefix is refused: a script would not
 * notice that the prefix means another memory later.
 *
 * @throws CommandError if several ids begin with the prefix, or the completed id would not be seen.
 */
export async function completeId(
  client: MemoryClient,
  id: string,
  options: PrefixOptions,
): Promise<string | undefined> {
  if (Array.from(id).length < shortest) return undefined;
  const listed = await client.listMemories({ signal: options.signal });
  const found = listed.map((memory) => memory.id).filter((each) => each.startsWith(id));
  const [only] = found;
  if (only === undefined || found.includes(id)) return undefined;
  if (found.length > 1) throw severalIds(id, found);
  if (options.process.stderr.isTTY !== true || options.quiet === true) throw notSeen(id, only);
  note(`Using ${only}.`, options);
  return only;
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
