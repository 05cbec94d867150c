import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MockServer, startMockServer } from '@memory-read/msw/server';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { beforeEach, expect, test } from 'vitest';
import { createRandomBytes } from './random-bytes.ts';
import { startSave } from './start-save.ts';

const size = 3_000_000;
const bytes = createRandomBytes(size, 4);
let folder: string;
let path: string;
let api: MockServer;
beforeEach(async () => {
  folder = makeFolder();
  path = join(folder, 'a.wav');
  api = await startMockServer({ memories: [] });
  api.memories.add({ id: 'mem_1', media: { audio: bytes } });
  return () => api.close();
});

test('several processes save to one path in parallel, even if one of them is killed', async () => {
  api.faults.always({ bytesPerSecond: 8_000_000 }, { match: { operation: 'media' } });
  const victim = startSave(api, path, { killAt: 1_000_000 });
  const results = await Promise.all([1, 2, 3].map(() => startSave(api, path).end));
  await victim.end;
  for (const result of results) expect(result).toMatchObject({ path, size });
  expect(readFileSync(path).equals(bytes)).toBe(true);
  const { length } = readdirSync(folder);
  // If the killed process started after the others were done, its incomplete file stays for the next run.
  expect(length).toBeLessThanOrEqual(2);
});

test('processes that load different versions of an object leave one complete version', async () => {
  const other = createRandomBytes(size, 2);
  api.faults.always({ bytesPerSecond: 8_000_000 }, { match: { operation: 'media' } });
  const early = startSave(api, path);
  await new Promise((resolve) => early.child.stdout?.once('data', resolve));
  api.memories.update('mem_1', { media: { audio: other } });
  const results = await Promise.all([early.end, startSave(api, path).end]);
  for (const result of results) expect(result).toMatchObject({ path, size });
  const saved = readFileSync(path);
  expect([bytes, other].some((version) => saved.equals(version))).toBe(true);
});

test('exceeding a file size limit is a clear error and keeps the old file, and the next call without the limit resumes', async () => {
  writeFileSync(path, 'old');
  const save = startSave(api, path, { within: ['bash', '-c', 'ulimit -f 1000; exec "$@"', 'bash'] });
  expect(await save.end).toEqual({
    name: 'Error',
    code: 'EFBIG',
    message: `Failed to save media to ${JSON.stringify(path)}: the file exceeds the size limit of this process or file system (EFBIG). Raise the limit and save it again: the download resumes.`,
  });
  expect(readFileSync(path, 'utf8')).toBe('old');
  const narrower = startSave(api, path, { within: ['bash', '-c', 'ulimit -f 500; exec "$@"', 'bash'] });
  expect(await narrower.end).toMatchObject({ code: 'EFBIG' });
  expect(readdirSync(folder)).toHaveLength(2);
  expect(await startSave(api, path).end).toEqual({ path, contentType: 'audio/wav', size, resumedFrom: 1_024_000 });
  expect(readFileSync(path).equals(bytes)).toBe(true);
});
