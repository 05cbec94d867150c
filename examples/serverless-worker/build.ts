import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const outfile = join(import.meta.dirname, 'dist', 'worker.mjs');
await build({
  entryPoints: [join(import.meta.dirname, 'worker.ts')],
  outfile,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  // Bundles the sources of the packages. Remove this line from your own project.
  conditions: ['@memory-read/source'],
  logLevel: 'error',
});
const bytes = readFileSync(outfile);
console.log(`dist/worker.mjs: ${kilobytes(bytes)} kB, ${kilobytes(gzipSync(bytes))} kB compressed`);

function kilobytes({ length }: Buffer): string {
  return (length / 1000).toFixed(1);
}
