import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';

/** Folder in which the build suite puts the tarballs, exactly as they would be published. */
export const packedFolder = join(root, 'node_modules', '.cache', 'packed');

/** The published packages, by folder name. */
export const publishedPackages: readonly string[] = readdirSync(join(root, 'packages'))
  .filter((name) => readdirSync(join(root, 'packages', name)).includes('package.json'))
  .filter((name) => manifestOf(name).private !== true);

/** An entry of a published package with code, and the absolute paths of its files. */
export interface Entry {
  /** Such as `@memory-read/client/node`. */
  specifier: string;
  source: string;
  types: string;
  built: string;
}

/** Every entry of these packages with code. */
export function entriesOf(...names: readonly string[]): Entry[] {
  return names.flatMap((name) => {
    const folder = join(root, 'packages', name);
    return Object.entries(manifestOf(name).exports).flatMap(([subpath, target]) => {
      if (typeof target === 'string') return [];
      const { '@memory-read/source': source = '', types = '', default: built = '' } = target;
      return [
        {
          specifier: join(`@memory-read/${name}`, subpath),
          source: join(folder, source),
          types: join(folder, types),
          built: join(folder, built),
        },
      ];
    });
  });
}

/** Returns the path of the tarball of a package. */
export function tarballOf(name: string): string {
  return join(packedFolder, `memory-read-${name}-${versionOf(name)}.tgz`);
}

/** Returns the version of a package in this repository. */
export function versionOf(name: string): string {
  return manifestOf(name).version;
}

interface Manifest {
  version: string;
  private?: boolean;
  exports: Record<string, Record<string, string> | string>;
}

function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
}
