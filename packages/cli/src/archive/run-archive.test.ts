import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestOptions } from '@memory-read/client';
import { expect, test, vi } from 'vitest';
import { archiveInFolder } from '../testing/archive-in-folder.ts';
import { audio, createAccount } from '../testing/create-account.ts';

const { inFolder, manifest, read, run, traces } = archiveInFolder();

test('saves every file in the folder, and its size and SHA-256 in the manifest', async () => {
  const account = await createAccount({ media: audio }, { id: 'mem_2', name: 'Evening' });
  const { counts, events } = await run(account);
  expect(counts).toMatchObject({ memories: 2, saved: 7, failed: 0, unchanged: 0 });
  expect(readdirSync(inFolder()).sort()).toEqual([
    '.memory-read',
    'Evening ba4e82bd.json',
    'Evening ba4e82bd.md',
    'Evening ba4e82bd.vtt',
    'Morning 22132404.audio.wav',
    'Morning 22132404.json',
    'Morning 22132404.md',
    'Morning 22132404.vtt',
    'memory-read.json',
  ]);
  expect(readFileSync(inFolder('Morning 22132404.audio.wav')).equals(account.media)).toBe(true);
  expect(manifest()).toMatchObject({ version: 1, userId: 'user_1' });
  const files = manifest().memories.flatMap((memory: { files: object }) => Object.values(memory.files));
  expect(files).toHaveLength(7);
  for (const { path, size, sha256 } of files) {
    const bytes = readFileSync(inFolder(path));
    expect([size, sha256]).toEqual([bytes.length, createHash('sha256').update(bytes).digest('hex')]);
    expect(events).toContainEqual(expect.objectContaining({ event: 'saved', path, size, sha256 }));
  }
  expect(readdirSync(inFolder('.memory-read'))).toEqual(['lock']);
});

test('reads only memories of a range, but marks no others as missing', async () => {
  const november = { started_at: '2026-11-02T08:00:00Z', ended_at: '2026-11-02T08:10:00Z' };
  const account = await createAccount({ media: audio }, { id: 'mem_2', name: 'Evening', ...november });
  const { counts } = await run(account, { range: { since: new Date('2026-11-01') } });
  expect(account.requests).toEqual(['/v1/memories', '/v1/memories/mem_2']);
  expect(counts).toMatchObject({ memories: 1, saved: 3, missing: 0, failed: 0 });
  await run(account);
  expect((await run(account, { range: { until: new Date('2026-11-01') } })).counts).toMatchObject({
    memories: 1,
    unchanged: 1,
    missing: 0,
  });
});

test('a second run on an unchanged account sends one request and changes nothing', async () => {
  const account = await createAccount(
    { media: audio },
    { id: 'mem_2', transcript: null },
    { id: 'mem_3', is_processing: true },
  );
  await run(account);
  account.requests.length = 0;
  const before = traces();
  const { counts } = await run(account);
  expect(account.requests).toEqual(['/v1/memories']);
  expect(traces()).toEqual(before);
  expect(counts).toMatchObject({ memories: 3, unchanged: 3, saved: 0, failed: 0 });
});

test('a renamed memory keeps the names of its files, and its media are not downloaded again', async () => {
  const account = await createAccount({ media: audio });
  await run(account);
  await account.put({ name: 'Noon', media: audio });
  account.requests.length = 0;
  const { counts } = await run(account);
  expect(counts).toMatchObject({ saved: 2, unchanged: 0 });
  expect(account.requests).toEqual(['/v1/memories', '/v1/memories/mem_1']);
  expect(read('Morning 22132404.md')).toContain('# Noon\n');
  expect(manifest().memories).toMatchObject([{ name: 'Noon', stem: 'Morning 22132404' }]);
});

test('downloads a recording again that has become longer', async () => {
  const account = await createAccount({ media: audio });
  await run(account);
  account.media = new Uint8Array(30_000).fill(7);
  await account.put({ duration_seconds: 900, media: audio });
  await run(account);
  expect(read('memory-read.json')).not.toContain('replaces');
  expect(readFileSync(inFolder('Morning 22132404.audio.wav')).equals(account.media)).toBe(true);
});

test('never replaces files that the user has changed, and reports them until they are moved', async () => {
  const account = await createAccount({ media: audio }, { id: 'mem_2' });
  await run(account);
  writeFileSync(inFolder('Morning 22132404.md'), 'my notes');
  expect(await run(account)).toMatchObject({ counts: { failed: 0, unchanged: 2 } });
  await account.put({ name: 'Noon', media: audio }, { id: 'mem_2', name: 'Night' });
  for (const saved of [3, 0]) {
    const { counts, failures } = await run(account);
    expect(counts).toMatchObject({ failed: 1, saved });
    expect(failures).toEqual([
      `Failed to replace ${JSON.stringify(inFolder('Morning 22132404.md'))}: it was changed after memory-read wrote it. Move or remove it, then run the command again.`,
    ]);
  }
  expect(read('Morning 22132404.md')).toBe('my notes');
  renameSync(inFolder('Morning 22132404.md'), inFolder('mine.md'));
  expect(await run(account)).toMatchObject({ counts: { failed: 0, saved: 1 } });
  expect(read('Morning 22132404.md')).toContain('# Noon');
  expect(read('mine.md')).toBe('my notes');
});

test('does not replace a file that existed before the first run', async () => {
  const account = await createAccount({});
  writeFileSync(inFolder('Morning 22132404.json'), '{}');
  const { counts, failures } = await run(account);
  expect(counts).toMatchObject({ failed: 1, saved: 2 });
  expect(failures[0]).toContain('another file has this name');
  expect(read('Morning 22132404.json')).toBe('{}');
});

test('reports media whose size has changed without replacing them, and downloads them once', async () => {
  const account = await createAccount({ media: audio });
  await run(account);
  writeFileSync(inFolder('Morning 22132404.audio.wav'), 'cut');
  expect(await run(account)).toMatchObject({ counts: { failed: 1 } });
  expect(read('Morning 22132404.audio.wav')).toBe('cut');
  await run(account, { parts: ['vtt'] });
  account.requests.length = 0;
  rmSync(inFolder('Morning 22132404.audio.wav'));
  expect(await run(account)).toMatchObject({ counts: { failed: 0, saved: 1 } });
  expect(account.requests).toEqual(['/v1/memories']);
  expect(readFileSync(inFolder('Morning 22132404.audio.wav')).equals(account.media)).toBe(true);
});

test('finds changed bytes of the same size only with verify', async () => {
  const account = await createAccount({ media: audio });
  await run(account, { parts: ['audio'] });
  const path = inFolder('Morning 22132404.audio.wav');
  expect(await run(account, { parts: ['audio'], verify: true })).toMatchObject({ counts: { failed: 0, unchanged: 1 } });
  writeFileSync(path, readFileSync(path).fill(1, 5, 6));
  expect(await run(account, { parts: ['audio'] })).toMatchObject({ counts: { failed: 0 } });
  const { failures } = await run(account, { parts: ['audio'], verify: true });
  expect(failures).toEqual([expect.stringContaining('it was changed after memory-read wrote it')]);
});

test.each([
  ['a transcript that is null', { transcript: null }],
  ['a summary that is null', { summary: null }],
  ['a memory back in processing', { is_processing: true, transcript: { segments: [] } }],
])('%s does not change the good files', async (_title, worse) => {
  const account = await createAccount({});
  await run(account);
  const before = ['json', 'md', 'vtt'].map((extension) => read(`Morning 22132404.${extension}`));
  await account.put({ name: 'Worse', ...worse });
  expect(await run(account)).toMatchObject({ counts: { saved: 0, kept: 3, failed: 0 } });
  expect(['json', 'md', 'vtt'].map((extension) => read(`Morning 22132404.${extension}`))).toEqual(before);
  expect(await run(account)).toMatchObject({ counts: { unchanged: 1, kept: 0 } });
  await account.put({ name: 'Better' });
  expect(await run(account)).toMatchObject({ counts: { saved: 2, kept: 0 } });
  expect(read('Morning 22132404.md')).toContain('# Better');
});

test('keeps media that were deleted, or whose memory is processing again', async () => {
  const account = await createAccount({ media: audio });
  await run(account);
  account.media = new Uint8Array(3).fill(1);
  await account.put({ media: audio, is_processing: true });
  expect(await run(account)).toMatchObject({ counts: { saved: 0, failed: 0 } });
  await account.put({ media: {} });
  expect(await run(account)).toMatchObject({ counts: { failed: 0 } });
  expect(readFileSync(inFolder('Morning 22132404.audio.wav'))).toHaveLength(20_000);
});

test('saves the missing files of a memory when it has been processed', async () => {
  const account = await createAccount({ is_processing: true, transcript: null, summary: null });
  await run(account);
  expect(read('Morning 22132404.md')).toContain('processing: true');
  expect(existsSync(inFolder('Morning 22132404.vtt'))).toBe(false);
  await account.put({});
  await run(account);
  expect(read('Morning 22132404.md')).toContain('Shall we start?');
  expect(read('Morning 22132404.vtt')).toContain('Shall we start?');
});

test('if a response is older than the list, reads the memory again in the next run', async () => {
  const account = await createAccount({});
  account.change = (memory, isListed) =>
    isListed ? memory : { ...memory, is_processing: true, transcript: null, summary: null };
  await run(account);
  account.change = (memory) => memory;
  await run(account);
  expect(read('Morning 22132404.vtt')).toContain('Shall we start?');
});

test('keeps the files of a deleted memory, and marks it in the manifest until it returns', async () => {
  const account = await createAccount({}, { id: 'mem_2' });
  await run(account);
  await account.remove('mem_2');
  expect(await run(account)).toMatchObject({ counts: { missing: 1, unchanged: 1 } });
  const missing = () => manifest().memories.map(({ missingSince }: { missingSince?: string }) => missingSince);
  expect(missing().filter(Boolean)).toEqual([expect.stringMatching(/^\d{4}-.*Z$/)]);
  expect(existsSync(inFolder('Morning ba4e82bd.json'))).toBe(true);
  const before = traces();
  await run(account);
  expect(traces()).toEqual(before);
  await account.put({ id: 'mem_2' });
  await run(account);
  expect(missing().filter(Boolean)).toEqual([]);
});

test('writes a file again that the user has removed', async () => {
  const account = await createAccount({ media: audio });
  await run(account);
  rmSync(inFolder('Morning 22132404.md'));
  rmSync(inFolder('Morning 22132404.audio.wav'));
  expect(await run(account)).toMatchObject({ counts: { saved: 2, failed: 0 } });
  expect(await run(account)).toMatchObject({ counts: { unchanged: 1 } });
});

test('saves the other memories if some of the list violate the specification, and marks none of them missing', async () => {
  const account = await createAccount({ id: 'mem_1' }, { id: 'mem_2', name: 'Two' }, { id: 'mem_3', name: 'Three' });
  await run(account);
  const missing = () => manifest().memories.filter(({ missingSince }: { missingSince?: string }) => missingSince);
  const breakOne = (changes: object) => {
    account.change = (memory, isListed) =>
      isListed && memory.id === 'mem_1' ? ({ ...memory, name: 7, ...changes } as never) : memory;
  };
  breakOne({});
  await account.put({ id: 'mem_2', name: 'Second' });
  const { counts, events } = await run(account);
  expect(counts).toMatchObject({ memories: 2, failed: 1, missing: 0 });
  expect(counts.saved).toBeGreaterThan(0);
  expect(events).toContainEqual({
    event: 'failed',
    memoryId: 'mem_1',
    error: {
      code: 'invalid_response',
      message: expect.stringContaining('violates the specification at name of memory "mem_1" (item'),
    },
  });
  expect(missing()).toEqual([]);

  await account.remove('mem_3');
  const warning = { event: 'warning', message: expect.stringContaining('does not show which memories were left out') };
  breakOne({ id: 7 });
  const unreadable = await run(account);
  expect(unreadable.counts).toMatchObject({ memories: 1, failed: 1, missing: 0 });
  expect(unreadable.events).toContainEqual(warning);
  expect(missing()).toEqual([]);

  breakOne({});
  const listMemories = account.client.listMemories.bind(account.client);
  const copyOnce = async (options?: RequestOptions) => [...(await listMemories(options))];
  vi.spyOn(account.client, 'listMemories').mockImplementationOnce(copyOnce);
  const copied = await run(account);
  expect(copied.counts).toMatchObject({ memories: 1, failed: 0, missing: 0 });
  expect(copied.events).toContainEqual(warning);
  expect(missing()).toEqual([]);
  expect((await run(account)).counts).toMatchObject({ failed: 1, missing: 1 });
  expect(missing()).toMatchObject([{ id: 'mem_3' }]);
});
