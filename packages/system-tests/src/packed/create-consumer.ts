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

interface ThirdParty {
  name: string;
  path: string;
}

/** Each with what it depends on, which pnpm has put beside it. */
function thirdParties(): ThirdParty[] {
  const direct = Object.entries(packageTable).flatMap(([owner, { others }]) =>
    others.map((name) => ({ name, path: realpathSync(join(root, 'packages', owner, 'node_modules', name)) })),
  );
  return [...new Map(direct.flatMap(withDependencies).map((found) => [found.name, found])).values()];
}

function withDependencies({ name, path }: ThirdParty): ThirdParty[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const neighbours = join(path, name.startsWith('@') ? '../..' : '..');
  const below = Object.keys(dependencies).map((dependency) => ({
    name: dependency,
    path: realpathSync(join(neighbours, dependency)),
  }));
  return [{ name, path }, ...below.flatMap(withDependencies)];
}

// npm fails on a package that lies in the folder of a scope below node_modules.
function copyInto(folder: string, name: string, path: string): string {
  const copy = join(folder, 'third-parties', name.replace('/', '-'));
  cpSync(path, copy, { recursive: true });
  return copy;
}
