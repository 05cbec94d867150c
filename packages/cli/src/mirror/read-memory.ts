import type { Memory } from '@memory-read/client';
import type { MirroredMemory } from '@memory-read/mirror';
import { withMemory } from '../ids/account-source.ts';
import type { ConnectionOptions } from '../options/connection-options.ts';
import { openClient } from '../options/open-client.ts';
import type { OutputOptions } from '../terminal/output-options.ts';

/** A memory, the people who speak in it, and its files in the mirror. */
export interface NamedMemory extends Pick<MirroredMemory, 'names'>, Partial<Pick<MirroredMemory, 'media'>> {
  memory: Memory;
}

export interface MemoryOptions extends ConnectionOptions, OutputOptions {
  /** Folder of a mirror, which is read instead of a server. */
  mirror?: string | undefined;
}

/**
 * Returns a memory of the server, or of a mirror with its names.
 *
 * @throws CommandError if the mirror does not have it; the error of the client if the server does not.
 */
export async function readMemory(
  given: string,
  { mirror: folder, ...options }: MemoryOptions,
  { signal, lastWords = false }: { signal: AbortSignal; lastWords?: boolean },
): Promise<NamedMemory> {
  if (folder === undefined) {
    const client = await openClient(options);
    const memory = await withMemory(client, given, { ...options, signal }, (id) => client.getMemory(id, { signal }));
    return { memory, names: {} };
  }
  const { findInMirror } = await import('../ids/mirror-source.ts');
  const { readMirror } = await import('./with-mirror.ts');
  return readMirror({ ...options, mirror: folder }, async (mirror) => {
    const id = await findInMirror(mirror, given, 'get memory', { ...options, signal });
    const newest = (await mirror.getMemory(id)) as MirroredMemory;
    if (!lastWords || hasWords(newest.memory)) return newest;
    for (const { at } of (await mirror.history(id)).reverse()) {
      const earlier = await mirror.getMemory(id, { asOf: at });
      if (earlier !== undefined && hasWords(earlier.memory)) return earlier;
    }
    return newest;
  });
}

/** Returns the memory with a list of its names for JSON, where it has one. */
export function withNames({ memory, names }: NamedMemory): Memory {
  return Object.keys(names).length === 0 ? memory : Object.assign({ ...memory }, { speaker_names: names });
}

function hasWords({ transcript }: Memory): boolean {
  return transcript?.segments.some(({ text }) => /[\p{L}\p{N}]/u.test(text)) ?? false;
}
