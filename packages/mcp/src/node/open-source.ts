import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { createLiveSource } from '../sources/create-live-source.ts';
import { createMirrorSource } from '../sources/create-mirror-source.ts';
import type { MemorySource } from '../sources/memory-source.ts';
import type { ProgramOptions } from './read-options.ts';
import { UsageError } from './usage-error.ts';

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
    const source = createLiveSource(createClient({ baseUrl, apiKey }), { transcriptRequests });
    return { source, close: async () => {} };
  }
  const { openMirror } = await loadMirrorPackage();
  const opened = await openMirror({ folder: mirror, readOnly: true }).catch((error: unknown) => {
    const { code } = error as { code?: unknown };
    if (code !== 'not_found' && code !== 'not_a_mirror') throw error;
    throw new UsageError(
      'Failed to start memory-read-mcp: the folder of --mirror holds no mirror. Run memory-read mirror with this folder first, or choose another folder.',
    );
  });
  return { source: createMirrorSource(opened), close: () => opened.close() };
}

/** The messages of the client name its options, which the command line does not have. */
function createClient(options: Pick<ProgramOptions, 'baseUrl' | 'apiKey'>): MemoryClient {
  try {
    return new MemoryClient(options);
  } catch (error) {
    if (!isMemoryApiError(error) || error.code !== 'configuration' || error.option !== 'baseUrl') throw error;
    throw new UsageError(
      'Failed to start memory-read-mcp: the base URL is not supported. Pass a URL that begins with https:// and contains no password. Only servers on this machine can use http://.',
    );
  }
}

async function loadMirrorPackage() {
  try {
    return await import('@memory-read/mirror');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      'Failed to open the mirror: @memory-read/mirror is not installed. Install it in the same way as @memory-read/mcp: with npm install, npm install --global, or npx -p @memory-read/mcp -p @memory-read/mirror memory-read-mcp.',
    );
  }
}
