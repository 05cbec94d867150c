import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A JavaScript runtime that npm delivers. */
export interface RuntimeBinary {
  /** As `package.json` pins it, and as the binary is meant to call itself. */
  readonly version: string;
  /** Undefined where npm has none for this machine. */
  readonly path: string | undefined;
}

const modules = join(import.meta.dirname, '../../node_modules');
/** The binary in the package of a platform: install scripts would only link to it. */
const binaries = { bun: 'bin/bun', deno: 'deno', workerd: 'bin/workerd' };

/** Bun, Deno or workerd, out of this package's dependencies. */
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

/** The oldest Node that the packages name in their engines. */
export function findOldestNode(): RuntimeBinary {
  return findNode('node-oldest', '22.13.0');
}

/** The line of Node between the oldest and the newest. */
export function findNode24(): RuntimeBinary {
  return findNode('node-24', '24.21.0');
}

function findNode(name: string, version: string): RuntimeBinary {
  const path = join(modules, name, 'bin', 'node');
  return { version, path: existsSync(path) ? path : undefined };
}
