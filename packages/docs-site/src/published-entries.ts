import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './folders.ts';

/** A module that users import. */
export interface PublishedEntry {
  /** Import path, such as `@memory-read/client/node`. */
  name: string;
  /** Path of its source, from the root of the repository. */
  source: string;
  /** Path of the package's README, if this is its root entry. */
  readme?: string | undefined;
}

interface Manifest {
  name: string;
  version: string;
  private?: boolean | undefined;
  exports?: Record<string, string | Record<string, string>> | undefined;
}

/** Order in which readers need the packages. Others follow. */
const order = ['client', 'mirror', 'mcp', 'server', 'msw', 'fixtures', 'contract', 'conformance'];

/** Returns every entry of every published package, from the export maps. */
export function publishedEntries(): PublishedEntry[] {
  const others = globSync('packages/*/package.json', { cwd: root }).map((path) => basename(dirname(path)));
  return [...new Set([...order, ...others.sort()])].flatMap((name) => entriesOf(join('packages', name)));
}

/** Returns the version of the client, which the site shows. */
export function publishedVersion(): string {
  return readManifest('packages/client').version;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

function entriesOf(folder: string): PublishedEntry[] {
  const manifest = readManifest(folder);
  if (manifest.private) return [];
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
    const source = typeof target === 'object' ? target['@memory-read/source'] : undefined;
    if (source === undefined) return [];
    const readme = subpath === '.' ? join(folder, 'README.md') : undefined;
    return { name: join(manifest.name, subpath), source: join(folder, source), readme };
  });
}
