import { fsyncSync, linkSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryDirectory } from '../testing/run-cli.ts';
import { createFileOnce } from './write-whole-file.ts';

vi.mock('node:fs', { spy: true });

test('creates a private file, and leaves no other file', () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'secret');
  createFileOnce(path, 'first');
  expect(readFileSync(path, 'utf8')).toBe('first');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory)).toEqual(['secret']);
});

test.each([
  ['has links', undefined],
  ['has no links', 'EPERM'],
])('keeps the first file if the file system %s', (_, code) => {
  const path = join(temporaryDirectory(), 'secret');
  for (const content of ['first', 'second']) {
    if (code) vi.mocked(linkSync).mockImplementationOnce(() => fail(code));
    createFileOnce(path, content);
  }
  expect(readFileSync(path, 'utf8')).toBe('first');
});

test.each(['EPERM', 'ENOTSUP', 'EINVAL', 'ENOSYS', 'ERR_ACCESS_DENIED'])(
  'keeps the file where fsync fails with %s',
  (code) => {
    const path = join(temporaryDirectory(), 'secret');
    vi.mocked(fsyncSync).mockImplementationOnce(() => fail(code));
    createFileOnce(path, 'first');
    expect(readFileSync(path, 'utf8')).toBe('first');
  },
);

test('leaves no file when the disk is full', () => {
  const directory = temporaryDirectory();
  vi.mocked(fsyncSync).mockImplementationOnce(() => fail('ENOSPC'));
  expect(() => createFileOnce(join(directory, 'secret'), 'first')).toThrow('ENOSPC');
  expect(readdirSync(directory)).toEqual([]);
});

test('writes all of the content to the disk before the file gets its name', () => {
  const path = join(temporaryDirectory(), 'secret');
  vi.mocked(fsyncSync).mockImplementationOnce(() => writeFileSync(path, 'made meanwhile by another process'));
  createFileOnce(path, 'first');
  expect(readFileSync(path, 'utf8')).toBe('made meanwhile by another process');
});

function fail(code: string): never {
  throw Object.assign(new Error(code), { code });
}
