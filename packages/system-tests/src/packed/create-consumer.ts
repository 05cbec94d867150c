import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageTable } from '../architecture/package-table.ts';
import { root } from '../repository.ts';
import { publishedPackages, tarballOf } from './packed-packages.ts';

/** A project of a user, outside of the repository, with the packed packages installed by npm. */
export interface Consumer {
  folder: string;
  /** Copies a file of `consumers/` into the project and returns its path. */
  add(file: string): string;
  remove(): void;
}

/**
 * Installs without the network: what the packages depend on is packed anew from what the lockfile installed, and npm
 * resolves the declared ranges against it.
 */
export function createConsumer(): Consumer {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'memory-read consumer-')));
  const dependencies = Object.fromEntries([
    ...publishedPackages.map((name) => [`@memory-read/${name}`, `file:${tarballOf(name)}`]),
    ...thirdParties().map(({ name, path }) => [name, `file:${packInto(folder, path)}`]),
  ]);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  npm(folder, ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  return {
    folder,
    add: (file) => {
      cpSync(join(import.meta.dirname, 'consumers', file), join(folder, file));
      return join(folder, file);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function thirdParties(): { name: string; path: string }[] {
  return Object.entries(packageTable).flatMap(([owner, { others }]) =>
    others.map((name) => ({ name, path: realpathSync(join(root, 'packages', owner, 'node_modules', name)) })),
  );
}

function packInto(folder: string, path: string): string {
  const packed = npm(path, ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]);
  const { name, version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  if (!packed.includes(version)) throw new Error(`Failed to pack ${name}: because npm printed ${packed}.`);
  return join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
}

function npm(cwd: string, args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
