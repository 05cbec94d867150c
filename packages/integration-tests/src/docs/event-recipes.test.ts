import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';
import { run } from '@memory-read/guide-code/polling-trigger';
import { createWebhookSender, type MemoryEvent, openMirror } from '@memory-read/mirror';
import { listen } from '@memory-read/test-kit/listen';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, onTestFinished, test, vi } from 'vitest';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const guide = read('docs/guides/events.md');
const homeAssistant = read('docs/code/home-assistant.yaml');

/** Syncs a mirror of one memory, whose name is the given one. */
async function syncNamed(name: string, folder: string) {
  const fetch: typeof globalThis.fetch = async (input) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    return Response.json(pathname.endsWith('/mem_1') ? sampleMemory({ name }) : [sampleListedMemory({ name })]);
  };
  const mirror = await openMirror({ folder });
  const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'key', fetch });
  expect((await mirror.sync(client)).failed).toEqual([]);
  return mirror;
}

/** Returns the body that a webhook gets for a processed memory. */
async function postedBody(): Promise<Record<string, unknown>> {
  const posted: { type: string | undefined; body: string }[] = [];
  await using receiver = await listen(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    posted.push({ type: request.headers['content-type'], body });
    response.end();
  });
  const mirror = await syncNamed('Küche "Nord"', makeFolder());
  onTestFinished(() => mirror.close());
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  await mirror.deliver('default', createWebhookSender({ url: receiver.url, secret }), { types: ['memory.processed'] });
  // The programs parse bodies of this type only.
  expect(posted).toMatchObject([{ type: 'application/json' }]);
  return JSON.parse(posted[0]?.body ?? '');
}

/** Returns what a path of names finds in a body. */
const valueAt = (body: unknown, names: readonly string[]) =>
  names.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body);

test.each([
  ['n8n', guide, /\{\{ \$json\.body\.([\w.]+) \}\}/g, '.'],
  ['Zapier', guide, /the field `([\w ]+)`/g, ' '],
  ['Home Assistant, in the guide', guide, /trigger\.json\.([\w.]+)/g, '.'],
  ['Home Assistant', homeAssistant, /trigger\.json\.([\w.]+)/g, '.'],
] as const)('the recipe for %s reads what a webhook posts', async (_name, text, pattern, separator) => {
  const body = await postedBody();
  const paths = Array.from(text.matchAll(pattern), ([, path = '']) => path.split(separator));
  expect(paths.length).toBeGreaterThan(0);
  const found = paths.map((names) => valueAt(body, names));
  expect(found).not.toContain(undefined);
  expect(found).toContain('Küche "Nord"');
});

test('the automation of Home Assistant runs for the type of a processed memory', async () => {
  const [, type] = homeAssistant.match(/trigger\.json\.type == '(.*)'/) ?? [];
  expect((await postedBody()).type).toBe(type);
});

test('the polling trigger returns each event once, also after a restart', async () => {
  const folder = makeFolder();
  vi.stubEnv('MEMORY_READ_MIRROR', folder);
  const values = new Map<string, unknown>();
  const store = {
    get: async <T>(key: string) => (values.get(key) as T | undefined) ?? null,
    // Activepieces stores JSON.
    put: async (key: string, value: unknown) => values.set(key, JSON.parse(JSON.stringify(value))),
  };
  const names = (events: readonly MemoryEvent[]) => events.map(({ data }) => data.memory?.name);
  await (await syncNamed('Stand-up', folder)).close();
  expect(names(await run({ store }))).toEqual(['Stand-up']);
  expect(await run({ store })).toEqual([]);
  await (await syncNamed('Renamed', folder)).close();
  expect(await run({ store })).toEqual([]);
});
