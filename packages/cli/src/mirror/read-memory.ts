import type { Memory } from '@memory-read/client';
import type { MirroredMemory } from '@memory-read/mirror';
import { withMemory } from '../ids/account-source.ts';
import type { ConnectionOptions } from '../options/connection-options.ts';
import { openClient } from '../options/open-client.ts';
import type { OutputOptions } from '../terminal/output-options.ts';

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
  given: string,
  { mirror: folder, ...options }: MemoryOptions,
  { signal, lastWords = false }: { signal: AbortSignal; lastWords?: boolean },
): Promise<Memory> {
  if (folder === undefined) {
    const client = await openClient(options);
    return withMemory(client, given, { ...options, signal }, (id) => client.getMemory(id, { signal }));
  }
  const { findMirror } = await import('./find-mirror.ts');
  const { findInMirror } = await import('../ids/mirror-source.ts');
  const { withMirror } = await import('./with-mirror.ts');
  return withMirror({ folder: findMirror(options.process, folder), readOnly: true }, async (mirror) => {
    const id = await findInMirror(mirror, given, 'get memory', { ...options, signal });
    const { memory } = (await mirror.getMemory(id)) as MirroredMemory;
    if (!lastWords || hasWords(memory)) return memory;
    for (const { at } of (await mirror.history(id)).reverse()) {
      const earlier = await mirror.getMemory(id, { asOf: at });
      if (earlier !== undefined && hasWords(earlier.memory)) return earlier.memory;
    }
    return memory;
  });
}

function hasWords({ transcript }: Memory): boolean {
  return transcript?.segments.some(({ text }) => /[\p{L}\p{N}]/u.test(text)) ?? false;
}
