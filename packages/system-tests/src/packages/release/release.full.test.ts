import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { releasedPackages } from './released-packages.ts';
import { startRegistry } from './start-registry.ts';

// An installation takes minutes.
vi.setConfig({ testTimeout: 720_000 });

const names = releasedPackages.map((name) => `@memory-read/${name}`);
const folder = join(makeFolder(afterAll), 'clone');
/** The output of the first job. */
let firstSums: string | undefined;

// The tests build on each other: a version is created, committed, checked and published.
beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', root, folder]);
  // Like every script, it first installs the dependencies. Without a network, it cannot fetch pnpm.
  const [pnpm = ''] = globSync('node_modules/.cache/pnpm@*', { cwd: root });
  // The suites check and build by themselves, so the checks of this release only pack what is built.
  const built = globSync('packages/*/dist', { cwd: root });
  for (const path of [pnpm, ...built]) cpSync(join(root, path), join(folder, path), { recursive: true });
  execFileSync('npm', ['run', 'changeset', 'version'], { cwd: folder, env: ownEnvironment(), stdio: 'pipe' });
});

test('changelogs are for readers: each package lists its changes once, without a hash', () => {
  expect(readdirSync(join(folder, '.changeset')).filter((name) => name.endsWith('.md'))).toEqual([]);
  for (const name of releasedPackages) {
    const changelog = readFileSync(join(folder, 'packages', name, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toContain(`# @memory-read/${name}\n\n## ${versionOf(name)}\n`);
    expect(changelog).not.toMatch(/\b[0-9a-f]{7}\b|[ \t]$/m);
    expect(changelog.split('\n').filter((line) => line.startsWith('- Takes')).length).toBeLessThanOrEqual(1);
  }
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'packages/client/package.json'), 'utf8'));
  expect(dependencies['@memory-read/contract']).toBe('workspace:^');
});

test('the state of this repository, which names no owner, is not released', async () => {
  await expect(runProgram('npm', ['run', '--silent', 'release'])).rejects.toThrow(
    'package.json is still a placeholder',
  );
});

test('a release is packed, published in the order of dependencies and tagged; a second start publishes nothing', async () => {
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  const packing = '"scripts": {"packing": "node packages/system-tests/src/packages/pack-packages.ts", ';
  writeFileSync(join(folder, 'package.json'), manifest.replaceAll('OWNER', 'ada').replace('"scripts": {', packing));
  git('add', '.');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--message', 'Versions');
  const env = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'ada/memory-read' };
  await runProgram('npm', ['run', '--silent', 'release', '--', '--checks', 'packing', '--out', artifact()], { env });
  const sums = readFileSync(join(artifact(), 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  expect(sums).toHaveLength(names.length);

  await using registry = await startRegistry();
  await runSteps('publish', { registry: registry.url });
  expect(registry.published.map(({ name }) => name)).toEqual(names);
  for (const { name, version, tarball } of registry.published) expectForUsers(name, version, tarball);

  expect((await runSteps('publish', { registry: registry.url })).match(/ is published already$/gm)).toHaveLength(
    names.length,
  );
  expect(registry.published).toHaveLength(names.length);

  await runSteps('tag', { registry: registry.url });
  const tags = releasedPackages.map((name) => `refs/tags/@memory-read/${name}@${versionOf(name)} abc`);
  expect(
    readFileSync(join(folder, '..', 'tags'), 'utf8')
      .trimEnd()
      .split('\n'),
  ).toEqual(tags);
});

test('a package that was changed behind the sums is not published', async () => {
  await using registry = await startRegistry();
  const [first = ''] = readdirSync(artifact()).filter((name) => name.endsWith('.tgz'));
  appendFileSync(join(artifact(), first), 'x');
  await expect(runSteps('publish', { registry: registry.url })).rejects.toThrow('did NOT match');
  expect(registry.published).toEqual([]);
});

function expectForUsers(name: string, version: string, tarball: Buffer): void {
  const path = join(folder, '..', 'published.tgz');
  writeFileSync(path, tarball);
  const manifest = JSON.parse(execFileSync('tar', ['-xzOf', path, 'package/package.json'], { encoding: 'utf8' }));
  const directory = name.replace('@memory-read', 'packages');
  expect(manifest).toMatchObject({
    name,
    version,
    author: 'The memory-read contributors',
    homepage: `https://github.com/ada/memory-read/tree/HEAD/${directory}#readme`,
    bugs: { url: 'https://github.com/ada/memory-read/issues' },
    repository: { type: 'git', url: 'git+https://github.com/ada/memory-read.git', directory },
  });
  expect(
    Object.values<string>(manifest.dependencies ?? {}).filter((range) => !/^\^\d+\.\d+\.\d+$/.test(range)),
  ).toEqual([]);
  const files = execFileSync('tar', ['-tzf', path], { encoding: 'utf8' });
  expect(files).toContain('package/CHANGELOG.md');
  const readme = execFileSync('tar', ['-xzOf', path, 'package/README.md'], { encoding: 'utf8' });
  expect(readme).toContain('](https://github.com/ada/memory-read/blob/HEAD/docs/guides/');
}

/** Runs the commands of a job of the workflow as GitHub does, with a `gh` that writes down the tags. */
async function runSteps(job: string, { registry }: { registry: string }): Promise<string> {
  const { jobs } = parse(readFileSync(join(folder, '.github/workflows/release.yml'), 'utf8'));
  const configuration = join(folder, '..', 'npmrc');
  writeFileSync(
    configuration,
    `@memory-read:registry=${registry}\n${registry.replace('http:', '')}:_authToken=token\n`,
  );
  const programs = join(folder, '..', 'programs');
  mkdirSync(programs, { recursive: true });
  const gh = `#!/bin/sh\n[ "$3" = --silent ] && exit 1\necho "$4 $6" | sed 's/ref=//; s/sha=//' >> '${join(folder, '..', 'tags')}'\n`;
  writeFileSync(join(programs, 'gh'), gh, { mode: 0o755 });
  const sums = execFileSync('sha256sum', ['SHA256SUMS'], { cwd: artifact(), encoding: 'utf8' });
  let output = '';
  for (const { run } of jobs[job].steps.filter(({ run }: { run?: string }) => run !== undefined)) {
    output += await runProgram('bash', ['-e', '-o', 'pipefail', '-c', run], {
      cwd: artifact(),
      env: {
        PATH: `${programs}:${process.env.PATH}`,
        npm_config_userconfig: configuration,
        SUMS: firstSums ?? sums,
        GITHUB_REPOSITORY: 'ada/memory-read',
        GITHUB_SHA: 'abc',
      },
    });
  }
  firstSums ??= sums;
  return output;
}

async function runProgram(
  program: string,
  args: readonly string[],
  { cwd = folder, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const options = { cwd, env: { ...ownEnvironment(), ...env }, maxBuffer: Number.POSITIVE_INFINITY };
  const { stdout, stderr } = await promisify(execFile)(program, args, options);
  return stdout + stderr;
}

/** The folder that the first job hands to the others. */
function artifact(): string {
  return join(folder, '..', 'artifact');
}

/** Returns the environment without the npm variables of this repository, which must not reach the clone. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV)/i.test(name)));
}

function versionOf(name: string): string {
  return JSON.parse(readFileSync(join(folder, 'packages', name, 'package.json'), 'utf8')).version;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
}
