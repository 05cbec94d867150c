import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository.ts';

/** Where the build suite puts the tarballs, exactly as they would be published. */
export const packedFolder = join(root, 'node_modules', '.cache', 'packed');

/** The published packages, by folder name. */
export const publishedPackages: readonly string[] = readdirSync(join(root, 'packages'))
  .filter((name) => readdirSync(join(root, 'packages', name)).includes('package.json'))
  .filter((name) => manifestOf(name).private !== true);

/** The tarball of a package. */
export function tarballOf(name: string): string {
  return join(packedFolder, `memory-read-${name}-${manifestOf(name).version}.tgz`);
}

function manifestOf(name: string): { version: string; private?: boolean } {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));
}
