import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { type BuildOptions, build } from 'esbuild';
import { publishedPackages } from '../packages/packed-packages.ts';

/** Writes the driver into a project, as `main.mjs` for programs and as `worker.mjs` for workerd. */
export async function buildDrivers(folder: string): Promise<void> {
  const driver = join(import.meta.dirname, 'driver');
  await bundle({
    entryPoints: [join(driver, 'main.ts'), join(driver, 'worker.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    // The packages resolve from the project, as they do for users.
    external: publishedPackages.map((name) => `@memory-read/${name}*`),
    // Not every runtime can load JSON from a package.
    alias: { '@memory-read/contract/openapi.json': join(root, 'packages/contract/openapi.json') },
  });
  const worker = join(folder, 'worker.mjs');
  await bundle({ entryPoints: [worker], outfile: worker, allowOverwrite: true });
}

function bundle(options: BuildOptions): Promise<unknown> {
  const common = { bundle: true, format: 'esm', platform: 'neutral', target: 'es2022', logLevel: 'error' } as const;
  return build({ ...common, ...options });
}
