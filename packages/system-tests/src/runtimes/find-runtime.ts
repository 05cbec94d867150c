import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A JavaScript runtime that npm delivers. */
export interface RuntimeBinary {
  /** As `package.json` pins it, and as the binary is meant to call itself. */
  readonly version: string;
  /** Undefined where npm has none for this machine. */
  readonly path: string | undefined;
}

const modules = join(import.meta.dirname, '../../node_modules');
const platform = `${process.platform} ${process.arch}`;

/** The packages that the package of each runtime chooses from: their install scripts would only link to them. */
const binaries: Record<string, Record<string, string>> = {
  bun: {
    'linux x64': '@oven/bun-linux-x64/bin/bun',
    'linux arm64': '@oven/bun-linux-aarch64/bin/bun',
    'darwin x64': '@oven/bun-darwin-x64/bin/bun',
    'darwin arm64': '@oven/bun-darwin-aarch64/bin/bun',
  },
  deno: {
    'linux x64': '@deno/linux-x64-glibc/deno',
    'linux arm64': '@deno/linux-arm64-glibc/deno',
    'darwin x64': '@deno/darwin-x64/deno',
    'darwin arm64': '@deno/darwin-arm64/deno',
  },
  workerd: {
    'linux x64': '@cloudflare/workerd-linux-64/bin/workerd',
    'linux arm64': '@cloudflare/workerd-linux-arm64/bin/workerd',
    'darwin x64': '@cloudflare/workerd-darwin-64/bin/workerd',
    'darwin arm64': '@cloudflare/workerd-darwin-arm64/bin/workerd',
  },
};

/** Bun, Deno or workerd, out of this package's dependencies. */
export function findRuntime(name: 'bun' | 'deno' | 'workerd'): RuntimeBinary {
  const manifest = realpathSync(join(modules, name, 'package.json'));
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return { version, path: resolveBinary(manifest, binaries[name]?.[platform]) };
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

function resolveBinary(manifest: string, specifier: string | undefined): string | undefined {
  if (specifier === undefined) return undefined;
  const [scope, name, ...rest] = specifier.split('/');
  try {
    return join(dirname(createRequire(manifest).resolve(`${scope}/${name}/package.json`)), ...rest);
  } catch {
    return undefined;
  }
}
