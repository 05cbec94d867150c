import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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
 * Installs without the network: npm copies what the packages depend on from what the lockfile installed, and resolves
 * the declared ranges against it.
 */
export function createConsumer(): Consumer {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'memory-read consumer-')));
  const dependencies = Object.fromEntries([
    ...publishedPackages.map((name) => [`@memory-read/${name}`, `file:${tarballOf(name)}`]),
    ...thirdParties().map(({ name, path }) => [name, `file:${copyInto(folder, name, path)}`]),
  ]);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  const flags = ['--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
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

// npm fails on a package that lies in the folder of a scope below node_modules.
function copyInto(folder: string, name: string, path: string): string {
  const copy = join(folder, 'third-parties', name.replace('/', '-'));
  cpSync(path, copy, { recursive: true });
  return copy;
}
