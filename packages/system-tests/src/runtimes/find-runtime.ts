import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A JavaScript runtime from npm. */
export interface RuntimeBinary {
  /** The version that `package.json` pins, and that the binary must report. */
  readonly version: string;
  /** Undefined if npm has no binary for this machine. */
  readonly path: string | undefined;
}

const modules = join(import.meta.dirname, '../../node_modules');
/** Path of the binary in the package of a platform. The install scripts would only create a link to it. */
const binaries = { bun: 'bin/bun', deno: 'deno', workerd: 'bin/workerd' };

/** Finds Bun, Deno or workerd in the dependencies of this package. */
export function findRuntime(name: keyof typeof binaries): RuntimeBinary {
  const require = createRequire(realpathSync(join(modules, name, 'package.json')));
  const { version, optionalDependencies } = require('./package.json');
  // pnpm installs only the package for the platform of this machine.
  const path = Object.keys(optionalDependencies)
    .flatMap((platform) => (require.resolve.paths(platform) ?? []).map((folder) => join(folder, platform)))
    .map((folder) => join(folder, binaries[name]))
    .find((candidate) => existsSync(candidate));
  return { version, path };
}

/** The oldest Node version in the engines of the packages. */
export function findOldestNode(): RuntimeBinary {
  return findNode('node-oldest', '22.13.0');
}

/** The oldest Node version whose SQLite has full-text search. */
export function findOldestSearchingNode(): RuntimeBinary {
  return findNode('node-22-16', '22.16.0');
}

/** The Node version between the oldest and the newest. */
export function findNode24(): RuntimeBinary {
  return findNode('node-24', '24.21.0');
}

function findNode(name: string, version: string): RuntimeBinary {
  const path = join(modules, name, 'bin', 'node');
  return { version, path: existsSync(path) ? path : undefined };
}
