import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { build } from 'vite';

/** The folder of the example, with the configuration for Vite. */
export const viewerFolder = join(root, 'examples', 'memory-viewer');

/** Builds the viewer as it would be deployed. */
export async function buildViewer(outDir: string): Promise<void> {
  // Vitest sets NODE_ENV to `test`, but a deployment is built for `production`.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await build({ root: viewerFolder, logLevel: 'error', build: { outDir, emptyOutDir: true } });
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}
