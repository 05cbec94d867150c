import { MemoryClient } from '@memory-read/client';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Mirror, openMirror } from '../index.ts';
import { audio, openAccount, saidRecord } from '../testing/open-account.ts';
import { filesWith } from '../testing/read-folder.ts';

let folder: string;
let mirror: Mirror;

beforeEach(async () => {
  folder = makeFolder();
  mirror = await openMirror({ folder });
  onTestFinished(() => mirror.close());
});

/** A server that sends prepared texts, so that it can return numbers and ids that stores reject. */
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
  'finds no change when a memory with the number %s is read again',
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
])('writes no query of %s in an unknown field to a file', async (url) => {
  await mirror.sync(strangeClient(['a'], { original: { urls: [url], [url]: 1 }, [url]: 1 }));
  expect(filesWith(folder, 'SECRETSECRET')).toEqual([]);
});

test('keeps a text of an unknown field that is similar to a URL', async () => {
  const note = 'note: is it done? Yes, /root is full?';
  await mirror.sync(strangeClient(['a'], { note }));
  expect((await mirror.getMemory('a'))?.memory).toMatchObject({ note });
});

test.each(['', '.', '..', '\ud800', 'x'.repeat(2_000)])(
  'fails only for the memory whose id cannot be sent (%j)',
  async (id) => {
    const report = await mirror.sync(strangeClient([id, 'good']));
    expect(report).toMatchObject({ added: 1, failed: [{ memoryId: id, error: { code: 'configuration' } }] });
  },
);

test.each(['a\0b', '../../etc/passwd', 'C:\\x', '__proto__', '日本'])(
  'saves a memory with the id %j, and does not read it again',
  async (id) => {
    const client = strangeClient([id, 'good']);
    expect(await mirror.sync(client)).toMatchObject({ added: 2, failed: [] });
    expect(await mirror.sync(client)).toMatchObject({ requests: 1, unchanged: 2 });
  },
);

test('fails only for the memory that is nested too deeply for the stack', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const client = strangeClient(['a'], { extra: 'NUMBER' }, deep);
  expect(await mirror.sync(client)).toMatchObject({
    added: 0,
    failed: [{ memoryId: 'a', error: { code: 'invalid_response' } }],
  });
});

test('does not download a recording again whose length has its earlier value again', async () => {
  const account = await openAccount();
  const saved: number[] = [];
  for (const duration_seconds of [5, 7, 5]) {
    await account.put(saidRecord('a', ['One.'], { media: audio, duration_seconds }));
    saved.push((await mirror.sync(account.clientOf('https://api.example.com'), { media: true })).mediaSaved);
  }
  expect(saved).toEqual([1, 1, 0]);
});
