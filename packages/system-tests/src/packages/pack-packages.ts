/**
 * node packages/system-tests/src/packages/pack-packages.ts: packs every published package once, as it is published, for all
 * tests that need one and for the release.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { packedFolder, publishedPackages, tarballOf } from './packed-packages.ts';
import { stageDocuments } from './stage-documents.ts';
import { stageManifest } from './stage-manifest.ts';

rmSync(packedFolder, { recursive: true, force: true });
mkdirSync(packedFolder, { recursive: true });
const filters = publishedPackages.map((name) => `--filter=@memory-read/${name}`);
const pnpm = [join(root, 'scripts', 'pnpm.mjs'), ...filters, 'pack', '--pack-destination', packedFolder];
execFileSync(process.execPath, pnpm, { stdio: ['ignore', 'ignore', 'inherit'] });
const staged = publishedPackages.map(stage);
const npm = ['pack', ...staged, '--pack-destination', packedFolder, '--loglevel=error'];
execFileSync('npm', npm, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' });

/** Unpacks the tarball of pnpm, which contains the versions of this repository, and returns the finished folder. */
function stage(name: string): string {
  const folder = join(packedFolder, 'staged', name);
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', tarballOf(name), '--strip-components=1', '-C', folder]);
  const path = join(folder, 'package.json');
  const manifest = stageManifest(JSON.parse(readFileSync(path, 'utf8')), name, process.env);
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
  stageDocuments(folder, name);
  return folder;
}
