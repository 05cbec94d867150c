import type { ListedMemory, Memory } from '@memory-read/client';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import type { ArchiveJob } from './archive-job.ts';

/**
 * Reads a memory of the list.
 *
 * @throws CommandError if the memory belongs to another account than the list.
 */
export async function readMemory(listed: ListedMemory, { client, signal }: ArchiveJob): Promise<Memory> {
  const memory = await client.getMemory(listed.id, { signal });
  if (memory.user_id === listed.user_id) return memory;
  const message = `Failed to get memory ${JSON.stringify(listed.id)}: the response contains another account. Report it to the operator of the API.`;
  throw new CommandError(exitCodes.failed, message);
}
