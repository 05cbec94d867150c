import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { endOf } from '@memory-read/test-kit/start-process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { packFiles, startRegistry } from '../../packages/release/start-registry.ts';

// An installation takes minutes.
vi.setConfig({ testTimeout: 300_000 });

const dependency = '@published-now/package';
const newDependency = '@published-now/other';
const parent = makeFolder(afterAll);
const folder = join(parent, 'repository');
let registry: Awaited<ReturnType<typeof startRegistry>>;

// A repository with the scripts and settings of this one, and with one dependency that was published a moment ago.
beforeAll(async () => {
  registry = await startRegistry();
  for (const name of [dependency, newDependency]) {
    const version = '1.0.0';
    registry.serve({ name, version, tarball: packFiles({ 'package.json': JSON.stringify({ name, version }) }) });
  }
  for (const path of ['scripts', 'pnpm-workspace.yaml', '.pnpmfile.cjs'])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = { name: 'repository', private: true, packageManager, dependencies: { [dependency]: '1.0.0' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, '.npmrc'), `@published-now:registry=${registry.url}\n`);
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

test.each([['update'], ['add', '--workspace-root', newDependency]])(
  'npm run pnpm -- %s rejects a version that is younger than three days',
  async (...words) => {
    const { code, output } = await run('pnpm.mjs', ...words);
    expect(output).toMatch(/ERR_PNPM_NO_(MATURE_)?MATCHING_VERSION/);
    expect(code).toBe(1);
  },
);

async function run(script: string, ...words: string[]): Promise<{ code: number | null; output: string }> {
  // The caches of pnpm are empty.
  const empty = Object.fromEntries(['DATA', 'CACHE', 'STATE'].map((name) => [`XDG_${name}_HOME`, join(parent, name)]));
  const child = spawn(process.execPath, [join(folder, 'scripts', script), ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...empty, CI: 'true' },
  });
  const { code, stdout, stderr } = await endOf(child);
  return { code, output: stdout + stderr };
}
