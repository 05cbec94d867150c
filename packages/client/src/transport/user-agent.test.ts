import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { json, stubClient } from '../testing/stub-fetch.ts';

test('a request names the package and its version, unless the caller names itself', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { client, requests } = stubClient(json([]));
  await client.listMemories();
  await client.listMemories({ headers: { 'User-Agent': 'my-app/1.0' } });
  const names = requests.map(({ headers }) => headers.get('user-agent'));
  expect(names).toEqual([`memory-read-client/${version}`, 'my-app/1.0']);
});

test('a page sends no User-Agent of ours, which would take a preflight', async () => {
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', {});
  const { client, requests } = stubClient(json([]), { auth: 'none', apiKey: undefined });
  await client.listMemories();
  vi.unstubAllGlobals();
  expect(requests[0]?.headers.has('user-agent')).toBe(false);
});
