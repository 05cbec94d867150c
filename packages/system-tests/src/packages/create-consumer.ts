import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageTable } from '@memory-read/integration-tests/architecture/package-table';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll } from 'vitest';
import { publishedPackages, tarballOf } from './packed-packages.ts';
import { directOthersOf, isPeer, thirdPartiesOf } from './third-parties.ts';

/**
 * A project of a user outside of the repository, with the packed packages installed by npm. It is removed after the
 * tests.
 */
export interface Consumer {
  folder: string;
  /** Copies a file of `consumers/` into the project and returns its path. */
  add(file: string): string;
  /** Writes a file into the project and returns its path. */
  write(file: string, text: string): string;
  /** Links a third-party package, such as a test runner, from this package. */
  link(name: string): void;
  /** Removes a peer dependency, or replaces it by another version under the name that our package uses. */
  replacePeer(peer: { owner: string; name: string; by?: string }): void;
}

/**
 * Installs without the network: npm copies the third-party packages that the lockfile has installed, and checks the
 * declared ranges against them. Peers, which have many dependencies in several versions, are links into pnpm's store.
 */
export function createConsumer(): Consumer {
  // The name contains a space, because folders of users may contain one too.
  const folder = join(realpathSync(makeFolder(afterAll)), 'a consumer');
  mkdirSync(folder);
  const dependencies = Object.fromEntries([
    ...publishedPackages.map((name) => [`@memory-read/${name}`, `file:${tarballOf(name)}`]),
    ...thirdPartiesOf(Object.keys(packageTable)).map(({ name, path }) => [
      name,
      `file:${copyInto(folder, name, path)}`,
    ]),
  ]);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  const flags = ['--offline', '--install-links', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', '--loglevel=error', ...flags], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const { name, path } of directOthersOf(Object.keys(packageTable)).filter(isPeer))
    symlinkSync(path, join(folder, 'node_modules', name));
  return {
    folder,
    add: (file) => {
      cpSync(join(import.meta.dirname, 'consumers', file), join(folder, file));
      return join(folder, file);
    },
    write: (file, text) => {
      writeFileSync(join(folder, file), text);
      return join(folder, file);
    },
    link: (name) => {
      const link = join(folder, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(locate(name), link);
    },
    replacePeer: ({ owner, name, by }) => {
      const link = join(folder, 'node_modules', name);
      rmSync(link);
      if (by !== undefined) symlinkSync(realpathSync(join(root, 'packages', owner, 'node_modules', by)), link);
    },
  };
}

/** Dependencies of the root are available to every package. */
function locate(name: string): string {
  const folders = [join(import.meta.dirname, '../../node_modules'), join(root, 'node_modules')];
  return realpathSync(join(folders.find((folder) => existsSync(join(folder, name))) ?? '', name));
}

// npm fails if a package lies in the folder of a scope below node_modules.
function copyInto(folder: string, name: string, path: string): string {
  const copy = join(folder, 'third-parties', name.replace('/', '-'));
  cpSync(path, copy, { recursive: true });
  return copy;
}
