import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { archiveInFolder } from '../testing/archive-in-folder.ts';
import { audio, createAccount, summary, transcript } from '../testing/create-account.ts';

const { inFolder, manifest, read, run, traces } = archiveInFolder();
const recording = () => readFileSync(inFolder('Morning 22132404.audio.wav'));
const better = { duration_seconds: 900, media: audio };

test('keeps a recording if its memory is processing again during a new version, and replaces it when that ends', async () => {
  const account = await createAccount({ media: audio });
  await run(account);
  const whole = account.media;
  account.media = new Uint8Array(40).fill(1);
  await account.put(better);
  account.change = (memory, isListed) => (isListed ? memory : { ...memory, is_processing: true });
  expect(await run(account, { parts: ['audio'] })).toMatchObject({
    counts: { saved: 0, kept: 1, failed: 0 },
  });
  expect(recording().equals(whole)).toBe(true);
  account.media = new Uint8Array(30_000).fill(2);
  account.change = (memory) => memory;
  await account.put(better);
  expect(await run(account, { parts: ['audio'] })).toMatchObject({ counts: { saved: 1, kept: 0 } });
  expect(recording().equals(account.media)).toBe(true);
});

test('downloads a recording again that was saved while its memory was processing', async () => {
  const account = await createAccount({ media: audio });
  account.change = (memory, isListed) => (isListed ? memory : { ...memory, is_processing: true });
  account.media = new Uint8Array(40).fill(1);
  await run(account, { parts: ['audio'] });
  account.change = (memory) => memory;
  account.media = new Uint8Array(30_000).fill(2);
  await run(account, { parts: ['audio'] });
  expect(recording().equals(account.media)).toBe(true);
});

test.each([
  ['nothing', new Uint8Array()],
  ['a page', new TextEncoder().encode('<!DOCTYPE html><title>Sign in</title>')],
  ['JSON', new TextEncoder().encode('{"error":"gone"}')],
])('%s in place of a recording is a failure, and the good one remains', async (what, bytes) => {
  const account = await createAccount({ media: audio });
  await run(account);
  const whole = account.media;
  account.media = bytes;
  await account.put(better);
  const { counts, failures } = await run(account, { parts: ['audio'] });
  expect(counts).toMatchObject({ failed: 1, saved: 0 });
  expect(failures).toEqual([
    `Failed to download the audio of memory "mem_1": the storage sent ${what} instead of media. Report this to the operator of the server.`,
  ]);
  expect(recording().equals(whole)).toBe(true);
});

test.each([
  ['a transcript without segments', { transcript: { segments: [] } }],
  [
    'a transcript without words',
    { transcript: { segments: transcript.segments.map((segment) => ({ ...segment, text: ' ' })) } },
  ],
  ['a summary without words', { summary: { quick_summary: '', key_takeaways: [' '] } }],
])('%s does not change the saved files until they are removed', async (_title, worse) => {
  const account = await createAccount({});
  await run(account);
  const before = read('Morning 22132404.md');
  await account.put({ name: 'Noon' });
  account.change = (memory, isListed) => (isListed ? memory : { ...memory, ...worse });
  expect(await run(account)).toMatchObject({ counts: { saved: 0, kept: 3 } });
  expect(read('Morning 22132404.md')).toBe(before);
  rmSync(inFolder('Morning 22132404.md'));
  expect(await run(account)).toMatchObject({ counts: { saved: 1 } });
  expect(read('Morning 22132404.md')).toContain('# Noon');
});

test('reads details again that are older than the list', async () => {
  const account = await createAccount({});
  await run(account);
  await account.put({ name: 'Noon', summary: { ...summary, quick_summary: 'Corrected.' } });
  account.change = (memory, isListed) => (isListed ? memory : { ...memory, name: 'Morning', summary });
  await run(account);
  await run(account);
  account.change = (memory) => memory;
  expect(await run(account)).toMatchObject({ counts: { saved: 2 } });
  expect(read('Morning 22132404.md')).toContain('Corrected.');
  expect(await run(account)).toMatchObject({ counts: { unchanged: 1 } });
});

test('reads no memory twice if a list has no summaries', async () => {
  const account = await createAccount({});
  account.change = (memory, isListed) => (isListed ? { ...memory, summary: null } : memory);
  await run(account);
  expect(await run(account)).toMatchObject({ counts: { unchanged: 1 } });
});

test.each([
  ['memory', { id: 'mem_9' }, 'another id than the requested one'],
  ['account', { user_id: 'user_9' }, 'the response contains another account'],
])('rejects details of another %s, and saves none of them', async (_what, other, reason) => {
  const account = await createAccount({ media: audio });
  account.change = (memory, isListed) => (isListed ? memory : { ...memory, ...other });
  const problem = expect.stringMatching(`^Failed to get memory "mem_1": .*${reason}`);
  expect(await run(account)).toMatchObject({ counts: { failed: 1, saved: 0 }, failures: [problem] });
  expect(await run(account, { parts: ['audio'] })).toMatchObject({ counts: { failed: 1 }, failures: [problem] });
  expect(readdirSync(inFolder()).sort()).toEqual(['.memory-read', 'memory-read.json']);
});

test('keeps and reports media that become null, and downloads them again when they return', async () => {
  const account = await createAccount({ media: audio });
  await run(account);
  await account.put({ media: {} });
  expect(await run(account, { parts: ['audio'] })).toMatchObject({ counts: { kept: 1 } });
  expect(await run(account, { parts: ['audio'] })).toMatchObject({ counts: { kept: 0, unchanged: 1 } });
  writeFileSync(inFolder('Morning 22132404.audio.wav'), new Uint8Array(20_000));
  expect((await run(account, { parts: ['audio'], verify: true })).failures[0]).toContain('the memory no longer has it');
  rmSync(inFolder('Morning 22132404.audio.wav'));
  await run(account, { parts: ['audio'] });
  expect(manifest().memories[0].files).not.toHaveProperty('audio');
  await account.put({ media: audio });
  expect(await run(account, { parts: ['audio'] })).toMatchObject({ counts: { saved: 1 } });
});

test('treats another notation of a date-time as the same version', async () => {
  const account = await createAccount({ media: audio });
  await run(account);
  const before = traces();
  account.change = (memory) => ({ ...memory, started_at: memory.started_at.replace('.000Z', '+00:00') });
  account.requests.length = 0;
  await run(account);
  expect(account.requests).toEqual(['/v1/memories']);
  expect(traces()).toEqual(before);
});
