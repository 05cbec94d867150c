import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageTable } from '../../architecture/package-table.ts';
import { root } from '../../repository.ts';
import { startRegistry } from './start-registry.ts';

const names = Object.keys(packageTable).map((name) => `@memory-read/${name}`);
const minutes = 60_000;
/** Here, the first release only builds and packs, because the suites run by themselves. The others use its tarballs. */
const packed = ['--checks', 'setup'];
let folder: string;

// The tests build on each other: a version is created, committed, checked and published.
beforeAll(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'memory-read-release-')), 'clone');
  execFileSync('git', ['clone', '--quiet', root, folder]);
  execFileSync('git', ['init', '--quiet', '--bare', remote()]);
  git('remote', 'set-url', 'origin', remote());
  // Like every script, it first installs the dependencies.
  execFileSync('npm', ['run', 'changeset', 'version'], { cwd: folder, env: ownEnvironment(), stdio: 'pipe' });
}, 5 * minutes);
afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

test('changelogs are for readers: each package lists its changes once, without a hash', () => {
  expect(readdirSync(join(folder, '.changeset')).filter((name) => name.endsWith('.md'))).toEqual([]);
  for (const name of Object.keys(packageTable)) {
    const changelog = readFileSync(join(folder, 'packages', name, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toContain(`# @memory-read/${name}\n\n## ${versionOf(name)}\n`);
    expect(changelog).not.toMatch(/\b[0-9a-f]{7}\b|[ \t]$/m);
    expect(changelog.split('\n').filter((line) => line.startsWith('- Takes')).length).toBeLessThanOrEqual(1);
  }
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'packages/client/package.json'), 'utf8'));
  expect(dependencies['@memory-read/contract']).toBe('workspace:^');
});

test(
  'a dry run publishes nothing, a release publishes all packages in order, and a second release publishes none',
  async () => {
    git('add', '.');
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--message', 'Versions');
    await using registry = await startRegistry();

    const tried = await release(registry.url, ['--checks', 'build', '--dry-run']);
    expect(tried).toMatchObject({ code: 0 });
    expect(tried.output.match(/^@memory-read\/\S+ would be published/gm)).toHaveLength(names.length);
    expect(registry.published).toEqual([]);
    expect(git('tag')).toBe('');

    expect(await release(registry.url, [...packed, '--push-tags'])).toMatchObject({ code: 0 });
    expect(registry.published.map(({ name }) => name)).toEqual(names);
    const tags = Object.keys(packageTable).map((name) => `@memory-read/${name}@${versionOf(name)}`);
    expect(
      git('ls-remote', '--tags', 'origin')
        .match(/@memory-read\/\S+/g)
        ?.sort(),
    ).toEqual(tags.sort());
    for (const { name, version, tarball } of registry.published) expectForUsers(name, version, tarball);

    const again = await release(registry.url, packed);
    expect(again).toMatchObject({ code: 0 });
    expect(again.output.match(/ is published already$/gm)).toHaveLength(names.length);
    expect(registry.published).toHaveLength(names.length);
  },
  12 * minutes,
);

function expectForUsers(name: string, version: string, tarball: Buffer): void {
  const path = join(folder, '..', 'published.tgz');
  writeFileSync(path, tarball);
  const manifest = JSON.parse(execFileSync('tar', ['-xzOf', path, 'package/package.json'], { encoding: 'utf8' }));
  expect(manifest).toMatchObject({ name, version });
  expect(
    Object.values<string>(manifest.dependencies ?? {}).filter((range) => !/^\^\d+\.\d+\.\d+$/.test(range)),
  ).toEqual([]);
  const files = execFileSync('tar', ['-tzf', path], { encoding: 'utf8' });
  expect(files).toContain('package/CHANGELOG.md');
}

async function release(registry: string, flags: readonly string[]): Promise<{ code: number | null; output: string }> {
  const configuration = join(folder, '..', 'npmrc');
  writeFileSync(
    configuration,
    `@memory-read:registry=${registry}\n${registry.replace('http:', '')}:_authToken=token\n`,
  );
  const child = spawn('npm', ['run', '--silent', 'release', '--', ...flags], {
    cwd: folder,
    env: { ...ownEnvironment(), npm_config_userconfig: configuration },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, output: stdout + stderr };
}

/** Returns the environment without the npm variables of this repository, which must not reach the clone. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV)/i.test(name)));
}

/** The remote to which tags are pushed. */
function remote(): string {
  return join(folder, '..', 'remote');
}

function versionOf(name: string): string {
  return JSON.parse(readFileSync(join(folder, 'packages', name, 'package.json'), 'utf8')).version;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
}
