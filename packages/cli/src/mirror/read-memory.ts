import type { Memory } from '@memory-read/client';
import { withWholeId } from '../ids/complete-id.ts';
import type { ConnectionOptions } from '../options/connection-options.ts';
import { openClient } from '../options/open-client.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import type { OutputOptions } from '../terminal/output-options.ts';

/** Where a memory is read. */
export interface MemoryOptions extends ConnectionOptions, OutputOptions {
  /** Folder of a mirror, which is read instead of a server. */
  mirror?: string | undefined;
}

/**
 * Returns a memory of the server, or of a mirror.
 *
 * @throws CommandError if the mirror does not have it; the error of the client if the server does not.
 */
export async function readMemory(
  memoryId: string,
  { mirror: given, ...options }: MemoryOptions,
  { signal, lastWords = false }: { signal: AbortSignal; lastWords?: boolean },
): Promise<Memory> {
  if (given === undefined) {
    const client = await openClient(options);
    return withWholeId(client, memoryId, { ...options, signal }, (id) => client.getMemory(id, { signal }));
  }
  const { findMirror } = await import('./find-mirror.ts');
  const { withMirror } = await import('./with-mirror.ts');
  return withMirror({ folder: findMirror(options.process, given), readOnly: true }, async (mirror) => {
    const found = await mirror.getMemory(memoryId);
    if (found === undefined) {
      const problem = 'the mirror has no memory with this id, or it was purged. Check the id.';
      throw new CommandError(exitCodes.notFound, `Failed to get memory ${JSON.stringify(memoryId)}: ${problem}`);
    }
    if (lastWords && !hasWords(found.memory)) {
      for (const { at } of (await mirror.history(memoryId)).reverse()) {
        const earlier = await mirror.getMemory(memoryId, { asOf: at });
        if (earlier !== undefined && hasWords(earlier.memory)) return earlier.memory;
      }
    }
    return found.memory;
  });
}

function hasWords({ transcript }: Memory): boolean {
  return transcript?.segments.some(({ text }) => /[\p{L}\p{N}]/u.test(text)) ?? false;
}
