import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { build } from 'esbuild';

/** Returns the program of the mirror's `index.html` as one minified script. */
export async function bundlePageProgram(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'packages/mirror/src/pages/page/main.ts')],
    conditions: ['@memory-read/source'],
    logLevel: 'error',
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.text.trimEnd() ?? '';
}

/** Returns the module that holds the program, so that pages can be written without a bundler. */
export async function renderPageProgram(): Promise<string> {
  return `/** The modules in \`page/\`, as \`npm run generate\` bundles them. */
export const pageProgram: string = ${JSON.stringify(await bundlePageProgram())};
`;
}
