import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MemoryClient } from '@memory-read/client';
import { searchMemories } from '@memory-read/client/search';
import { createLiveSource, createMemoryMcpServer, createMirrorSource, type MemorySource } from '@memory-read/mcp';
import { type Mirror, openMirror } from '@memory-read/mirror';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { useChromium } from '../runtimes/browser/use-chromium.ts';
import { searchCases, spokenMemories } from './search-cases.ts';

const folder = join(makeFolder(afterAll), 'memories');
const mock = createMemoryMock({ memories: [] });
const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
const chromium = useChromium();
let mirror: Mirror;

beforeAll(async () => {
  for (const [index, [name, said]] of Object.entries(spokenMemories).entries()) addMemory(name, said, index);
  mirror = await openMirror({ folder });
  await mirror.sync(client);
  await mirror.writePages({ timeZone: 'UTC' });
});
afterAll(() => mirror.close());

function addMemory(name: string, said: (typeof spokenMemories)[string], index: number): void {
  const start = Date.parse('2026-08-20T10:00:00Z') - index * 40 * 86_400_000;
  const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
  const segments = said.map((one, second) => {
    const [speaker, text] = typeof one === 'string' ? ['Ada', one] : one;
    return { speaker, text, start_at: at(second), end_at: at(second + 1) };
  });
  mock.memories.add({ name, started_at: at(0), ended_at: at(400), summary: null, transcript: { segments } });
}

const namesOf = (hits: readonly { name: string }[]) => [...new Set(hits.map(({ name }) => name))];

test.each(searchCases)('%s finds the same with the function and the mirror', async (query, names) => {
  const listed = await client.listMemories();
  const memories = await Promise.all(listed.map(({ id }) => client.getMemory(id)));
  expect(namesOf(searchMemories(memories, query).hits)).toEqual(names);
  expect(namesOf((await mirror.search(query, { limit: 200 })).hits)).toEqual(names);
});

test.each([
  ['the API', () => createLiveSource(client)],
  ['the mirror', () => createMirrorSource(mirror)],
] as const)('an assistant over %s finds the same', async (_, openSource: () => MemorySource) => {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const assistant = new Client({ name: 'test', version: '0.0.0' });
  await Promise.all([createMemoryMcpServer({ source: openSource() }).connect(there), assistant.connect(here)]);
  for (const [query, names] of searchCases) {
    const { structuredContent, content } = await assistant.callTool({ name: 'search', arguments: { query } });
    const { results, words } = structuredContent as { results: { title: string }[]; words?: unknown[] };
    expect(
      results?.map(({ title }) => title),
      `${query} ${JSON.stringify(content)}`,
    ).toEqual(names);
    expect(words === undefined, query).toBe(names.length > 0);
  }
  await assistant.close();
});

test('the command line finds the same, whatever the signs of a query', async () => {
  for (const [query, names] of searchCases.filter(([query]) => /[^\p{L}\p{M} ]/u.test(query))) {
    const words = query.match(/"[^"]*"|\S+/g) ?? [];
    const { stdout } = await runCommand(['search', '--mirror', folder, '--format', 'json', '--', ...words]);
    expect(
      JSON.parse(String(stdout)).map(({ name }: { name: string }) => name),
      query,
    ).toEqual(names);
  }
});

test('the page finds the same', async () => {
  const page = await chromium().browser.newPage();
  await page.goto(pathToFileURL(join(folder, 'index.html')).href);
  for (const [query, names] of searchCases) {
    await page.getByLabel('Search').fill(query);
    await page.getByRole('heading', { level: 1, name: `Memories with ${query}`, exact: true }).waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /places?$|^Nothing found/ })
      .waitFor();
    const found = await page.locator('.hit:not(.nearest *) strong').allTextContents();
    expect([...new Set(found)], query).toEqual(names);
  }
  await page.close();
});
