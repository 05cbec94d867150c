import { MemoryClient } from '@memory-read/client';
import { createLiveSource } from '../sources/create-live-source.ts';
import { createMirrorSource, type MirrorReader } from '../sources/create-mirror-source.ts';
import type { MemorySource } from '../sources/memory-source.ts';
import type { ProgramOptions } from './read-options.ts';
import { UsageError } from './usage-error.ts';

interface MirrorPackage {
  openMirror(options: { folder: string; readOnly: boolean }): Promise<MirrorReader & { close(): Promise<void> }>;
}

/** A source, and the function that releases it. */
export interface OpenedSource {
  source: MemorySource;
  close(): Promise<void>;
}

/** Opens the mirror or the API of the options. */
export async function openSource({
  mirror,
  baseUrl,
  apiKey,
  transcriptRequests,
}: ProgramOptions): Promise<OpenedSource> {
  if (mirror === undefined) {
    const source = createLiveSource(new MemoryClient({ baseUrl, apiKey }), { transcriptRequests });
    return { source, close: async () => {} };
  }
  const { openMirror } = await loadMirrorPackage();
  const opened = await openMirror({ folder: mirror, readOnly: true });
  return { source: createMirrorSource(opened), close: () => opened.close() };
}

async function loadMirrorPackage(): Promise<MirrorPackage> {
  // The package is not a dependency: only users of a mirror install it.
  const name = '@memory-read/mirror';
  try {
    return (await import(name)) as MirrorPackage;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      'Failed to open the mirror: @memory-read/mirror is not installed. Run npm install @memory-read/mirror and try again.',
    );
  }
}
