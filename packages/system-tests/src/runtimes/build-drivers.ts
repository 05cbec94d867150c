import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

/** The driver for each kind of runtime, bundled from the built packages. */
export interface Drivers extends Disposable {
  /** Folder with `main.mjs`, `worker.mjs` and `second-copy.mjs`. */
  readonly folder: string;
}

const here = import.meta.dirname;

/** Writes the drivers into their own folder, from which the packages resolve as they do for users. */
export async function buildDrivers(): Promise<Drivers> {
  const cache = join(here, '../../.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'runtimes-'));
  const secondCopy = './second-copy.mjs';
  await Promise.all([
    bundle({
      entryPoints: [join(here, 'driver/main.ts')],
      outfile: join(folder, 'main.mjs'),
      packages: 'external',
      external: [secondCopy],
    }),
    bundle({
      entryPoints: [join(here, 'driver/worker.ts')],
      outfile: join(folder, 'worker.mjs'),
      external: [secondCopy],
    }),
    bundle({
      entryPoints: ['@memory-read/client'],
      outfile: join(folder, secondCopy),
      minify: true,
      absWorkingDir: here,
    }),
  ]);
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function bundle(options: BuildOptions): Promise<unknown> {
  return build({
    ...{ bundle: true, format: 'esm', platform: 'neutral', target: 'es2022', logLevel: 'error' },
    // Not every runtime can load TypeScript and JSON from a package.
    alias: {
      '@memory-read/test-kit': join(here, '../../../test-kit/src'),
      '@memory-read/contract/openapi.json': join(here, '../../../contract/openapi.json'),
    },
    ...options,
  });
}
