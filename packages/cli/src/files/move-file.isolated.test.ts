import { existsSync, linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { digestFile } from './digest-file.ts';
import { moveFile } from './move-file.ts';

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  return { ...fs, linkSync: vi.fn(fs.linkSync) };
});

let folder: string;
let source: string;
let target: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-read-move-'));
  [source, target] = [join(folder, 'source'), join(folder, 'target')];
  writeFileSync(source, 'new');
  return () => rmSync(folder, { recursive: true });
});

const { signal } = new AbortController();
const changed = 'another process wrote the file. Move or remove it, then run the command again.';

test('keeps a file that appears after the check', () => {
  writeFileSync(target, 'mine');
  expect(() => moveFile(source, target, undefined)).toThrow(changed);
  expect([readFileSync(target, 'utf8'), readFileSync(source, 'utf8')]).toEqual(['mine', 'new']);
});

test('keeps a file that changes after the check', async () => {
  writeFileSync(target, 'old');
  const found = await digestFile(target, signal);
  writeFileSync(target, 'own');
  expect(() => moveFile(source, target, found)).toThrow(changed);
  expect(readFileSync(target, 'utf8')).toBe('own');
});

test('replaces the file that was found', async () => {
  writeFileSync(target, 'old');
  moveFile(source, target, await digestFile(target, signal));
  expect([readFileSync(target, 'utf8'), existsSync(source)]).toEqual(['new', false]);
});

test.each(['a disk with links', 'a disk without links'])('on %s, moves the file to a free path', (disk) => {
  if (disk.endsWith('without links')) refuseLink();
  moveFile(source, target, undefined);
  expect([readFileSync(target, 'utf8'), existsSync(source)]).toEqual(['new', false]);
});

test('without links too, keeps a file that appears after the check', () => {
  refuseLink();
  writeFileSync(target, 'mine');
  expect(() => moveFile(source, target, undefined)).toThrow(changed);
  expect(readFileSync(target, 'utf8')).toBe('mine');
});

function refuseLink(): void {
  vi.mocked(linkSync).mockImplementationOnce(() => {
    throw Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM', syscall: 'link' });
  });
}
