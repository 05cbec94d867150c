import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { packageFolder } from '../measurement/run-node.ts';
import type { Surroundings } from './render-page.ts';

/** This machine, and the versions of what was measured against. */
export function readSurroundings(command: string): Surroundings {
  const [processor] = cpus();
  const gigabytes = (totalmem() / 2 ** 30).toFixed(0);
  return {
    command,
    machine: `${type()} ${release()}, ${availableParallelism()} cores (${processor?.model.trim() || 'unknown'}), ${gigabytes} GiB of memory`,
    versions: { Node: process.versions.node, SQLite: process.versions.sqlite ?? 'unknown', ...peerVersions() },
  };
}

function peerVersions(): Record<string, string> {
  const { devDependencies } = readManifest(join(packageFolder, 'package.json'));
  const names = Object.keys(devDependencies ?? {}).filter((name) => !/^@(types|memory-read)\/|^typescript$/.test(name));
  return Object.fromEntries(
    names.map((name) => [name, readManifest(join(packageFolder, 'node_modules', name, 'package.json')).version]),
  );
}

function readManifest(path: string): { version: string; devDependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(path, 'utf8'));
}
