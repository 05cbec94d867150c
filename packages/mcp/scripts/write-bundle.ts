/** node scripts/write-bundle.ts: writes bundle/memory-read.mcpb from the built program. Run `npm run build` first. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packExtension, validateManifest } from '@anthropic-ai/mcpb';
import { build } from 'esbuild';
import manifest from '../bundle/manifest.json' with { type: 'json' };
import published from '../package.json' with { type: 'json' };
import { licensesOf } from './licenses-of.ts';

const folder = join(import.meta.dirname, '..');
const staged = mkdtempSync(join(tmpdir(), 'memory-read-mcpb-'));
try {
  const { metafile } = await build({
    entryPoints: [join(folder, 'dist/main.js')],
    outfile: join(staged, manifest.server.entry_point),
    absWorkingDir: folder,
    bundle: true,
    external: ['@memory-read/mirror'],
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.13',
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
  });
  writeFileSync(
    join(staged, 'LICENSES.txt'),
    licensesOf(Object.keys(metafile.inputs).map((path) => join(folder, path))),
  );
  copyFileSync(join(folder, '../../LICENSE'), join(staged, 'LICENSE'));
  const path = join(staged, 'manifest.json');
  writeFileSync(path, JSON.stringify({ ...manifest, version: published.version }, null, 2));
  const outputPath = join(folder, 'bundle/memory-read.mcpb');
  const isPacked = validateManifest(path) && (await packExtension({ extensionPath: staged, outputPath, silent: true }));
  if (!isPacked) throw new Error('Failed to write the bundle: mcpb rejected it. Read its message above.');
} finally {
  rmSync(staged, { recursive: true });
}
