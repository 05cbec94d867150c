import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Listening, listen } from '@memory-read/test-kit/listen';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

// An installation takes minutes.
vi.setConfig({ testTimeout: 300_000 });

const dependency = '@published-now/package';
const parent = makeFolder(afterAll);
const folder = join(parent, 'repository');
const tarball = pack();
let registry: Listening;

// A repository with the scripts and settings of this one, and with one dependency that was published a moment ago.
beforeAll(async () => {
  registry = await listen(({ url = '' }, response) => {
    if (url.endsWith('.tgz')) response.end(tarball);
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata()));
  });
  for (const path of ['scripts', 'pnpm-workspace.yaml', '.pnpmfile.cjs'])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = { name: 'repository', private: true, packageManager, dependencies: { [dependency]: '1.0.0' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, '.npmrc'), `@published-now:registry=${registry.url}/\n`);
  const locked = await run('pnpm.mjs', 'install', '--lockfile-only', '--config.minimum-release-age=0');
  expect(locked).toMatchObject({ code: 0 });
});
afterAll(() => registry[Symbol.asyncDispose]());

test.each(['serve', 'everything'])(
  'an install to %s uses the versions of the lockfile, whatever their age',
  async (scope) => {
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
    const { code, output } = await run('run.mjs', scope);
    expect(code, output).toBe(0);
    expect(existsSync(join(folder, 'node_modules', dependency))).toBe(true);
  },
);

test.each([['install'], ['update'], ['add', '--workspace-root', dependency]])(
  'npm run pnpm -- %s rejects a version that is younger than three days',
  async (...words) => {
    const { code, output } = await run('pnpm.mjs', ...words);
    expect(output).toMatch(/ERR_PNPM_(MINIMUM_RELEASE_AGE_VIOLATION|NO_MATURE_MATCHING_VERSION)/);
    expect(code).toBe(1);
  },
);

async function run(script: string, ...words: string[]): Promise<{ code: number | null; output: string }> {
  // The caches of pnpm are empty. npm uses the cache of the machine, which contains pnpm itself.
  const empty = Object.fromEntries(['DATA', 'CACHE', 'STATE'].map((name) => [`XDG_${name}_HOME`, join(parent, name)]));
  const child = spawn(process.execPath, [join(folder, 'scripts', script), ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...empty, CI: 'true' },
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const output = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  return { code: await ended, output };
}

function metadata(): object {
  const now = new Date().toISOString();
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const dist = { tarball: `${registry.url}/${dependency}/-/package-1.0.0.tgz`, integrity };
  const version = { name: dependency, version: '1.0.0', dist };
  return {
    name: dependency,
    'dist-tags': { latest: '1.0.0' },
    versions: { '1.0.0': version },
    modified: now,
    time: { created: now, modified: now, '1.0.0': now },
  };
}

function pack(): Buffer {
  const content = join(parent, 'package');
  mkdirSync(content, { recursive: true });
  writeFileSync(join(content, 'package.json'), JSON.stringify({ name: dependency, version: '1.0.0' }));
  return execFileSync('tar', ['-czf', '-', '-C', parent, 'package']);
}
