import { MemoryClient } from '@memory-read/client';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Mirror, openMirror } from '../index.ts';
import { makeMirrorFolder } from '../testing/make-mirror-folder.ts';
import { audio, openAccount, saidRecord } from '../testing/open-account.ts';
import { filesWith } from '../testing/read-folder.ts';

let folder: string;
let mirror: Mirror;

beforeEach(async () => {
  folder = makeMirrorFolder();
  mirror = await openMirror({ folder });
  onTestFinished(() => mirror.close());
});

/** A server whose bodies are texts, so that numbers and ids pass which no store takes. */
function strangeClient(ids: readonly string[], fields: Record<string, unknown> = {}, number = '0'): MemoryClient {
  const memory = (id: string) => ({ ...sampleMemory(), ...fields, id });
  const bodyOf = ([, id]: string[]) =>
    id === undefined ? ids.map((each) => ({ ...memory(each), transcript: null })) : memory(decodeURIComponent(id));
  return new MemoryClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'sk_test',
    retries: 0,
    fetch: async ({ url }) =>
      new Response(JSON.stringify(bodyOf(new URL(url).pathname.split('/memories/'))).replaceAll('"NUMBER"', number), {
        headers: { 'content-type': 'application/json' },
      }),
  });
}

test.each(['-0.0', '1e400', '1.0'])(
  'a memory with the number %s is unchanged when it is read again',
  async (number) => {
    const client = strangeClient(['a'], { loudness: 'NUMBER' }, number);
    await mirror.sync(client);
    expect((await mirror.sync(client, { recheck: 1 })).changed).toBe(0);
    expect(await mirror.history('a')).toHaveLength(1);
  },
);

test.each([
  "https://s3.example.com/Ito's.wav?X-Sig=SECRETSECRET",
  "https://s3.example.com/a.wav?n='x'&X-Sig=SECRETSECRET",
  'https://s3.example.com/a.wav?n=a b&X-Sig=SECRETSECRET',
  '//s3.example.com/a.wav?X-Sig=SECRETSECRET',
  '/media/a.wav?X-Sig=SECRETSECRET',
  'See https://s3.example.com/a.wav?X-Sig=SECRETSECRET for the sound.',
])('no file holds the query of %s in an unknown field', async (url) => {
  await mirror.sync(strangeClient(['a'], { original: { urls: [url], [url]: 1 }, [url]: 1 }));
  expect(filesWith(folder, 'SECRETSECRET')).toEqual([]);
});

test('a text of an unknown field that only looks like a URL stays whole', async () => {
  const note = 'note: is it done? Yes, /root is full?';
  await mirror.sync(strangeClient(['a'], { note }));
  expect((await mirror.getMemory('a'))?.memory).toMatchObject({ note });
});

test.each(['', '.', '..', '\ud800', 'x'.repeat(2_000)])(
  'an id that no request can carry (%j) fails alone',
  async (id) => {
    const report = await mirror.sync(strangeClient([id, 'good']));
    expect(report).toMatchObject({ added: 1, failed: [{ memoryId: id, error: { code: 'configuration' } }] });
  },
);

test.each(['a\0b', '../../etc/passwd', 'C:\\x', '__proto__', '日本'])('the id %j is kept, and settled', async (id) => {
  const client = strangeClient([id, 'good']);
  expect(await mirror.sync(client)).toMatchObject({ added: 2, failed: [] });
  expect(await mirror.sync(client)).toMatchObject({ requests: 1, unchanged: 2 });
});

test('a memory that is nested too deeply for the stack fails alone', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const client = strangeClient(['a'], { extra: 'NUMBER' }, deep);
  expect(await mirror.sync(client)).toMatchObject({
    added: 0,
    failed: [{ memoryId: 'a', error: { code: 'invalid_response' } }],
  });
});

test('a recording whose length is again what it was is not loaded again', async () => {
  const account = await openAccount();
  const saved: number[] = [];
  for (const duration_seconds of [5, 7, 5]) {
    await account.put(saidRecord('a', ['One.'], { media: audio, duration_seconds }));
    saved.push((await mirror.sync(account.clientOf('https://api.example.com'), { media: true })).mediaSaved);
  }
  expect(saved).toEqual([1, 1, 0]);
});
