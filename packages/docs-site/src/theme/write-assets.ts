import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Assets of TypeDoc's theme, which the pages do not load. */
const unused = ['main.js', 'navigation.js', 'search.js', 'style.css', 'hierarchy.js', 'icons.js'];

/** Writes the style with its fonts and the script of all pages into a built site. */
export async function writeAssets(site: string): Promise<void> {
  const assets = join(site, 'assets');
  for (const name of unused) rmSync(join(assets, name), { force: true });
  const sources = [new URL('../page/site.page.ts', import.meta.url), new URL('style/index.css', import.meta.url)];
  await build({
    entryPoints: sources.map((source) => ({ in: fileURLToPath(source), out: 'site' })),
    outdir: assets,
    bundle: true,
    minify: true,
    format: 'iife',
    loader: { '.svg': 'file', '.woff2': 'file' },
  });
}
