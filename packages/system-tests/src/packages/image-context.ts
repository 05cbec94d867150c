/**
 * npm run image-context [-- FOLDER]
 *
 * Creates the folder, by default `image`, from which `docker build` makes the image of deploy/Dockerfile. It holds the
 * packed packages and those of others in the versions that the suites ran with, so the build needs no registry of npm.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { packageTable } from '@memory-read/integration-tests/architecture/package-table';
import { root } from '@memory-read/test-kit/repository';
import { tarballOf } from './packed-packages.ts';
import { copyThirdParty, thirdPartiesOf } from './third-parties.ts';

const [folder = 'image'] = process.argv.slice(2);
const tarballs = join(folder, 'tarballs');
mkdirSync(tarballs, { recursive: true });
copyFileSync(join(root, 'deploy', 'Dockerfile'), join(folder, 'Dockerfile'));

const own = ['cli', ...(packageTable.cli?.packages ?? [])];
const others = thirdPartiesOf(own);
const copies = mkdtempSync(join(tmpdir(), 'memory-read-image-'));
const folders = others.map(({ name, path }) => copyThirdParty(name, path, copies));
const packed = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', tarballs, ...folders]);
rmSync(copies, { recursive: true });
const dependencies = Object.fromEntries([
  ...own.map((name) => {
    copyFileSync(tarballOf(name), join(tarballs, basename(tarballOf(name))));
    return [`@memory-read/${name}`, `file:tarballs/${basename(tarballOf(name))}`];
  }),
  ...(JSON.parse(packed) as { name: string; filename: string }[]).map(({ name, filename }) => [
    name,
    `file:tarballs/${filename}`,
  ]),
]);
const manifest = { name: 'memory-read-image', version: versionOf('cli'), private: true, dependencies };
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
npm(['install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], folder);

function npm(args: readonly string[], cwd = '.'): string {
  const options = { cwd, encoding: 'utf8', shell: process.platform === 'win32' } as const;
  return execFileSync('npm', [...args, '--loglevel=error'], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
}

function versionOf(name: string): string {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')).version;
}
