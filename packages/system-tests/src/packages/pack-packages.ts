/**
 * node packages/system-tests/src/packages/pack-packages.ts: packs every published package once, as it is published, for all
 * tests that need one and for the release.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { packedFolder, publishedPackages } from './packed-packages.ts';
import { readProject } from './project.ts';
import { stageDocuments } from './stage-documents.ts';
import { stageManifest } from './stage-manifest.ts';

const project = readProject(root);
rmSync(packedFolder, { recursive: true, force: true });
const npm = ['pack', ...publishedPackages.map(stage), '--pack-destination', packedFolder, '--loglevel=error'];
execFileSync('npm', npm, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' });

/** Returns the folder of a package, as it is published. */
function stage(name: string): string {
  const source = join(root, 'packages', name);
  const folder = join(packedFolder, 'staged', name);
  mkdirSync(folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  for (const path of manifest.files) cpSync(join(source, path), join(folder, path), { recursive: true });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  stageDocuments(folder, name, project);
  const staged = stageManifest(manifest, name, readdirSync(folder), project);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(staged, null, 2)}\n`);
  return folder;
}
