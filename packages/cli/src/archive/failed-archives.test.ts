import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { archiveInFolder } from '../testing/archive-in-folder.ts';
import { audio, createAccount, summary, transcript } from '../testing/create-account.ts';

const { inFolder, manifest, run, tracesOf } = archiveInFolder();

test('reports one memory that cannot be read, and saves the others', async () => {
  const account = await createAccount({}, { id: 'mem_2' }, { id: 'mem_3' });
  account.intercept = (path) => (path.endsWith('mem_2') ? new Response('', { status: 500 }) : undefined);
  const { counts, events } = await run(account);
  expect(counts).toMatchObject({ failed: 1, saved: 6 });
  expect(events).toContainEqual({
    event: 'failed',
    memoryId: 'mem_2',
    error: expect.objectContaining({ code: 'server' }),
  });
  account.intercept = () => undefined;
  expect(await run(account)).toMatchObject({ counts: { failed: 0, saved: 3, unchanged: 2 } });
});

test.each([
  ['an error of the server', () => new Response('{}', { status: 500 })],
  ['a memory that is not found', () => Response.json({ detail: 'Memory not found' }, { status: 404 })],
  ['the 404 of another application', () => Response.json({ detail: 'Not Found' }, { status: 404 })],
  ['the 404 of nginx', () => new Response('<html><body>404 Not Found</body></html>', { status: 404 })],
  ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['truncated JSON', () => new Response('{"id":"mem_1"', { headers: { 'content-type': 'application/json' } })],
  ['an empty object', () => Response.json({})],
  ['a null', () => Response.json(null)],
])('%s in place of a memory does not change its files', async (_title, answer) => {
  const account = await createAccount({});
  await run(account);
  const before = tracesOf('Morning');
  expect(before).toHaveLength(3);
  account.intercept = (path) => (path.endsWith('mem_1') ? answer() : undefined);
  await account.put({ name: 'Noon' });
  const { counts, failures } = await run(account);
  expect(counts).toMatchObject({ failed: 1, saved: 0 });
  expect(failures).toEqual([expect.not.stringContaining('validation:')]);
  expect(tracesOf('Morning')).toEqual(before);
});

test.each([
  ['FastAPI', () => Response.json({ detail: 'Not Found' }, { status: 404 })],
  ['a missing memory', () => Response.json({ detail: 'Memory not found' }, { status: 404 })],
  ['nginx', () => new Response('<html><body>404 Not Found</body></html>', { status: 404 })],
])('the 404 of %s in place of the list ends the run, and marks nothing as missing', async (_title, answer) => {
  const account = await createAccount({});
  await run(account);
  const before = tracesOf('Morning');
  account.intercept = () => answer();
  await expect(run(account)).rejects.toMatchObject({ code: 'unexpected_response', status: 404 });
  expect(tracesOf('Morning')).toEqual(before);
  expect(manifest().memories).toEqual([expect.not.objectContaining({ missingSince: expect.anything() })]);
});

test('five memories in a row that cannot be read end the run', async () => {
  const account = await createAccount(...Array.from({ length: 20 }, (_item, index) => ({ id: `mem_${index}` })));
  account.intercept = (path) => {
    if (path !== '/v1/memories') throw new TypeError('fetch failed');
    return undefined;
  };
  await expect(run(account, { concurrency: 1 })).rejects.toMatchObject({ code: 'connection' });
  expect(account.requests).toHaveLength(6);
});

test('ends a run whose key is rejected, and keeps the files so far', async () => {
  const account = await createAccount({}, { id: 'mem_2' }, { id: 'mem_3' });
  account.intercept = (path) => (path.endsWith('mem_1') ? Response.json({ detail: 'x' }, { status: 401 }) : undefined);
  await expect(run(account, { concurrency: 1 })).rejects.toMatchObject({ code: 'authentication' });
  expect(manifest().memories).toHaveLength(3);
  account.intercept = () => undefined;
  expect(await run(account)).toMatchObject({ counts: { saved: 3, unchanged: 2, failed: 0 } });
});

test('keeps the files so far after an abort, and rejects with its reason', async () => {
  const account = await createAccount({}, { id: 'mem_2' }, { id: 'mem_3' });
  const controller = new AbortController();
  const reason = new Error('Stop.');
  account.intercept = (path) => {
    if (path.endsWith('mem_1')) controller.abort(reason);
    return undefined;
  };
  await expect(run(account, { concurrency: 1, signal: controller.signal })).rejects.toBe(reason);
  expect(await run(account)).toMatchObject({ counts: { saved: 3, unchanged: 2, failed: 0 } });
});

test('does not download media again if the manifest lost them in a crash', async () => {
  const account = await createAccount({ media: audio, transcript, summary });
  await run(account);
  const journal = manifest().memories.map((memory: object) => `${JSON.stringify({ memory })}\n`);
  rmSync(inFolder('memory-read.json'));
  writeFileSync(
    inFolder('.memory-read', 'journal.jsonl'),
    `{"userId":"user_1"}\n${journal.join('')}{"memory":{"id":"mem`,
  );
  account.requests.length = 0;
  expect(await run(account)).toMatchObject({ counts: { unchanged: 1, saved: 0, failed: 0 } });
  expect(account.requests).toEqual(['/v1/memories']);
  expect(manifest()).toMatchObject({ userId: 'user_1', memories: [{ id: 'mem_1' }] });
});
