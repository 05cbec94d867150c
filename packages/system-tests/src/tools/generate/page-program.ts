import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { build } from 'esbuild';

/**
 * Properties that get short names, because only the program uses them: the data of the page and browsers have no property of
 * these names, and the program reads none of them by a text.
 */
const ownProperties = [
  'bytes folded highlights isWanted key_takeaways lacks loadDetail memories memoryId missing nearest offsets onMonth',
  'outsideRange personKey quick_summary readAll repeated setStatus snippet speakerKey started_at startedAt',
].flatMap((names) => names.split(' '));

/** Returns the program of the mirror's `index.html` as one minified script. */
export async function bundlePageProgram(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'packages/mirror/src/pages/page/main.ts')],
    conditions: ['@memory-read/source'],
    logLevel: 'error',
    bundle: true,
    minify: true,
    mangleProps: new RegExp(`^(${ownProperties.join('|')})$`),
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
