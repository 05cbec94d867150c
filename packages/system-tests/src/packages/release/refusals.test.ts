import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { beforeEach, expect, test } from 'vitest';
import { type ReleaseOptions, release } from './release.ts';

const repository = 'https://git.example/ada/memory-read';
let folder: string;
let packed: number;
beforeEach(() => {
  packed = 0;
  folder = makeFolder();
  const scripts = { green: 'node --version', red: 'node --eval "process.exit(3)"' };
  mkdirSync(join(folder, '.changeset'));
  writeFileSync(join(folder, '.changeset', 'config.json'), '{}');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, scripts, repository }));
  git('init', '--quiet');
  commit();
});

test('a release refuses a repository that is a placeholder, before it runs the checks', () => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ repository: 'https://git.example/OWNER/memory-read' }));
  expect(() => release(options('red'))).toThrow(
    'Failed to release: the repository in package.json is still a placeholder. Replace OWNER there, commit, then',
  );
});

test('a release refuses a workflow of another repository, whose provenance npm would refuse', () => {
  const environment = { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'eve/memory-read' };
  expect(() => release({ ...options('red'), environment })).toThrow(
    `package.json names the repository ${repository}, but the workflow runs in https://git.example/eve/memory-read, so`,
  );
});

test('a release refuses files that are not committed, before it runs the checks', () => {
  writeFileSync(join(folder, 'notes.txt'), '');
  expect(() => release(options('red'))).toThrow(
    'Failed to release: one file is not committed, such as notes.txt. Commit or remove them, then release again.',
  );
});

test('a release refuses changes that no version has, and says which command makes one', () => {
  writeFileSync(join(folder, '.changeset', 'new-field.md'), '');
  commit();
  expect(() => release(options('red'))).toThrow(
    'no version contains the changes of .changeset/new-field.md yet. Run npm run changeset version,',
  );
});

test('a release refuses tests that fail, and looks at no package then', () => {
  expect(() => release(options('red'))).toThrow('Failed to release: npm run red failed. Correct what it');
  expect(packed).toBe(0);
});

test('a release whose checks pass has what they packed, with its sums in the same order', () => {
  release(options('green'));
  expect(packed).toBe(1);
  const out = join(folder, 'out');
  expect(readdirSync(out).sort()).toEqual(['SHA256SUMS', 'a.tgz', 'b.tgz']);
  expect(execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: out, encoding: 'utf8' })).toBe(
    'b.tgz: OK\na.tgz: OK\n',
  );
});

function options(checks: string): ReleaseOptions {
  const tarballs = () => {
    packed += 1;
    return ['b.tgz', 'a.tgz'].map((name) => {
      const path = join(folder, name);
      writeFileSync(path, name);
      return path;
    });
  };
  return { folder, checks, tarballs, out: join(folder, 'out'), environment: {}, log: () => {} };
}

function commit(): void {
  git('add', '.');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--message', 'A state');
}

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: folder });
}
