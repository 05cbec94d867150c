import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { packageTable } from '@memory-read/integration-tests/architecture/package-table';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll } from 'vitest';
import { packedFolder, tarballOf } from './packed-packages.ts';
import { releasedPackages } from './release/released-packages.ts';
import { copyThirdParty, directOthersOf, isPeer, thirdPartiesOf } from './third-parties.ts';

/** A project of a user outside of the repository, with the packed packages installed by npm. */
export interface Consumer {
  folder: string;
  /** Links a third-party package, such as a test runner, from this package. */
  link(name: string): void;
  /** Removes the MSW of the project, or replaces it by another version. */
  replaceMsw(by?: string): void;
}

/** Packing removes this folder, so the packages are installed once for all tests. */
const installed = join(packedFolder, 'consumer');
const packageFolder = join(import.meta.dirname, '../..');

/** Creates a project with the files of `consumers/`. It is removed after the tests. */
export function createConsumer(): Consumer {
  if (!existsSync(installed)) install();
  // The name contains a space, because folders of users may contain one too.
  const folder = join(realpathSync(makeFolder(afterAll)), 'a consumer');
  cpSync(installed, folder, { recursive: true, verbatimSymlinks: true });
  cpSync(join(import.meta.dirname, 'consumers'), folder, { recursive: true });
  const linkTo = (name: string, target: string) => {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(realpathSync(target), link);
  };
  return {
    folder,
    link: (name) => {
      // Dependencies of the root are available to every package.
      const targets = [packageFolder, root].map((parent) => join(parent, 'node_modules', name));
      linkTo(name, targets.find(existsSync) ?? name);
    },
    replaceMsw: (by) => {
      rmSync(join(folder, 'node_modules/msw'));
      if (by !== undefined) linkTo('msw', join(root, 'packages/msw/node_modules', by));
    },
  };
}

function install(): void {
  const folder = mkdtempSync(`${installed}-`);
  const tarballs = releasedPackages.map((name) => `'${tarballOf(name)}'`);
  installOffline(folder, `npm install ${tarballs.join(' ')}`);
  for (const { name, path } of directOthersOf(Object.keys(packageTable)).filter(isPeer))
    symlinkSync(path, join(folder, 'node_modules', name));
  try {
    renameSync(folder, installed);
  } catch {
    // Another test file has installed them in the meantime.
    rmSync(folder, { recursive: true });
  }
}

/**
 * Runs a command with `npm install` in a new project, without the network. npm copies the third-party packages that the
 * lockfile has installed, and checks the declared ranges against them. Peers have too many dependencies for that.
 */
export function installOffline(folder: string, command: string): void {
  const others = join(folder, 'third-parties');
  const copies = thirdPartiesOf(Object.keys(packageTable)).map(({ name, path }) => {
    return [name, `file:${copyThirdParty(name, path, others)}`];
  });
  const manifest = { private: true, type: 'module', dependencies: Object.fromEntries(copies) };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const flags = '--offline --install-links --legacy-peer-deps --ignore-scripts --no-audit --no-fund --loglevel=error';
  execFileSync('sh', ['-c', `${command.trim()} ${flags}`], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  rmSync(others, { recursive: true });
}
