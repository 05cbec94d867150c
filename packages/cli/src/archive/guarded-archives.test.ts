import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { MemoryClient } from '@memory-read/client';
import { expect, test } from 'vitest';
import { archiveInFolder } from '../testing/archive-in-folder.ts';
import { type Account, audio, createAccount } from '../testing/create-account.ts';

const { inFolder, manifest, read, run, traces } = archiveInFolder();

/** The account, with another client. */
function withClient(account: Account, baseUrl: string): Account {
  const fetch = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return account.fetch(new Request(`https://api.example.com${pathname}${search}`, request));
  };
  return { ...account, client: new MemoryClient({ baseUrl, apiKey: account.key, retries: 0, fetch }) };
}

test('rejects a folder of another base URL without a change, unless the folder is adopted', async () => {
  const account = await createAccount({});
  await run(account);
  const moved = withClient(account, 'https://moved.example.com');
  const before = traces();
  account.requests.length = 0;
  await expect(run(moved)).rejects.toMatchObject({
    exitCode: 2,
    message: `Failed to use ${JSON.stringify(inFolder())}: it holds memories of another server. Choose another folder, or pass --adopt if the server has a new address.`,
  });
  expect(account.requests).toEqual([]);
  expect(traces()).toEqual(before);
  expect(await run(moved, { adopt: true })).toMatchObject({ counts: { unchanged: 1 } });
  expect(await run(moved)).toMatchObject({ counts: { unchanged: 1 } });
  await expect(run(account)).rejects.toThrow('another server');
  expect(read('memory-read.json')).not.toContain('example.com');
});

test('marks memories as missing only after a second empty list, and warns at the first one', async () => {
  const account = await createAccount({}, { id: 'mem_2' });
  await run(account);
  account.intercept = (path) => (path === '/v1/memories' ? Response.json([]) : undefined);
  const { counts, events } = await run(account);
  expect(counts).toMatchObject({ memories: 0, missing: 2, failed: 0 });
  expect(events).toEqual([
    {
      event: 'warning',
      message:
        'The server returned an empty list, and this folder has 2 memories. If the next run finds it empty again, they are marked as missing.',
    },
  ]);
  expect(read('memory-read.json')).not.toContain('missingSince');
  account.intercept = () => undefined;
  await run(account);
  expect(read('memory-read.json')).not.toContain('emptySince');
  account.intercept = (path) => (path === '/v1/memories' ? Response.json([]) : undefined);
  await run(account);
  expect(await run(account)).toMatchObject({ counts: { missing: 2 }, events: [] });
  expect(manifest().memories).toEqual([
    expect.objectContaining({ missingSince: expect.any(String) }),
    expect.objectContaining({ missingSince: expect.any(String) }),
  ]);
  const before = traces();
  await run(account);
  expect(traces()).toEqual(before);
});

test('ignores a folder inside the work folder', async () => {
  const account = await createAccount({});
  await run(account);
  mkdirSync(inFolder('.memory-read', 'stray.media'));
  await account.put({ name: 'Noon' });
  expect(await run(account)).toMatchObject({ counts: { failed: 0, saved: 2 } });
  expect(readdirSync(inFolder('.memory-read')).sort()).toEqual(['lock', 'stray.media']);
});

test('names a lock file that is not a lock', async () => {
  const account = await createAccount({});
  await run(account);
  writeFileSync(inFolder('.memory-read', 'lock'), 'x'.repeat(5_000));
  await expect(run(account)).rejects.toThrow(
    `Failed to use ${JSON.stringify(inFolder('.memory-read', 'lock'))}: it was not written by memory-read. Choose another folder, or remove the file.`,
  );
});

test('keeps only the latest download next to a recording that the user has changed', async () => {
  const account = await createAccount({ media: audio });
  await run(account);
  appendFileSync(inFolder('Morning 22132404.audio.wav'), 'mine');
  for (const duration_seconds of [700, 800, 900]) {
    await account.put({ duration_seconds, media: audio });
    expect(await run(account)).toMatchObject({ counts: { failed: 1 } });
  }
  expect(readdirSync(inFolder('.memory-read')).filter((name) => name !== 'lock')).toHaveLength(1);
});

test('reports nothing about a text that the user has changed, if there is no new version', async () => {
  const account = await createAccount({});
  await run(account);
  appendFileSync(inFolder('Morning 22132404.md'), 'mine');
  expect(await run(account)).toMatchObject({ counts: { failed: 0, saved: 0 } });
  expect(read('Morning 22132404.md')).toMatch(/mine$/);
  await account.put({ name: 'Noon' });
  expect(await run(account)).toMatchObject({ counts: { failed: 1, saved: 1 } });
});

test('counts a memory that cannot be read as one failure, whatever parts are requested', async () => {
  const account = await createAccount({ media: { ...audio, video: { ...audio.audio, content_type: 'video/webm' } } });
  account.intercept = (path) => (path.endsWith('mem_1') ? new Response('', { status: 500 }) : undefined);
  expect(await run(account)).toMatchObject({ counts: { failed: 1, saved: 0 } });
});

const many = Array.from({ length: 30 }, (_item, index) => ({ id: `mem_${index}`, media: audio }));

test('continues a run if there are successes between failures', async () => {
  const account = await createAccount(...many);
  account.intercept = (path) => {
    if (/mem_\d*[05]$/.test(path)) throw new TypeError('fetch failed');
    return undefined;
  };
  const { counts } = await run(account, { parts: ['json'], concurrency: 1 });
  expect(counts).toMatchObject({ memories: 30, failed: 6, saved: 24 });
});

test('stops requests to a storage after five failures in a row, and still saves all texts', async () => {
  const account = await createAccount(...many);
  account.intercept = (path) => {
    // The Retry-After exceeds the maximum pause of the client.
    const isMedia = path.endsWith('.wav');
    return isMedia ? new Response('', { status: 503, headers: { 'retry-after': '999' } }) : undefined;
  };
  await expect(run(account, { parts: ['json', 'audio'], concurrency: 1 })).rejects.toThrow(
    'Failed to download media: the media storage cannot be reached. Run the same command again to resume; all texts are saved.',
  );
  expect(readdirSync(inFolder()).filter((name) => name.endsWith('.json'))).toHaveLength(31);
  expect(account.requests.filter((path) => path.endsWith('.wav'))).toHaveLength(5);
});
