import { recordedMedia } from '@memory-read/fixtures';
import { beforeEach, expect, test, vi } from 'vitest';
import { createMemoryMock } from '../create-memory-mock.ts';
import type { Fault } from '../faults/fault.ts';
import type { MediaOverride } from '../memories/memory-overrides.ts';

const kinds = ['audio', 'video', 'preview_image'] as const;
const mock = createMemoryMock({ memories: [], now: '2026-01-01T12:00:00Z', auth: 'none' });
beforeEach(() => mock.reset());
const own = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);

async function urlOf(memoryId: string, kind: (typeof kinds)[number]): Promise<string> {
  const response = await mock.fetch(`${mock.baseUrl}/v1/memories/${memoryId}`);
  return (await response.json())[`${kind}_url`];
}

async function load(memoryId: string, kind: (typeof kinds)[number] = 'audio', init?: RequestInit) {
  const response = await mock.fetch(await urlOf(memoryId, kind), init);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, bytes, headers: Object.fromEntries(response.headers) };
}

const bytesOf = async (memoryId: string) => (await load(memoryId)).bytes;
const tagOf = async (memoryId: string) => (await load(memoryId, 'audio', { method: 'HEAD' })).headers.etag;

test.each(kinds)('the %s lasts as long as its memory, as a whole and by range', async (kind) => {
  const memory = mock.memories.add({ duration_seconds: 125 });
  const expected = recordedMedia(memory, kind);
  const { bytes, headers } = await load(memory.id, kind);
  expect(Buffer.from(expected.read()).equals(bytes)).toBe(true);
  expect(headers).toMatchObject({ 'content-length': String(expected.size), 'content-type': expected.contentType });
  const part = await load(memory.id, kind, { headers: { range: 'bytes=900-1099' } });
  expect(part).toMatchObject({ status: 206, headers: { 'content-range': `bytes 900-1099/${expected.size}` } });
  expect(part.bytes).toEqual(bytes.subarray(900, 1100));
});

test('a recording follows each change of its memory, with another entity tag', async () => {
  const { id } = mock.memories.addProcessing({ duration_seconds: 10 });
  const tags = [await tagOf(id)];
  mock.memories.finishProcessing(id);
  tags.push(await tagOf(id));
  mock.memories.update(id, { duration_seconds: 20 });
  tags.push(await tagOf(id));
  mock.memories.update(id, { name: 'Another name' });
  expect(await tagOf(id)).toBe(tags[2]);
  mock.memories.update(id, { media: { audio: own } });
  tags.push(await tagOf(id));
  expect(new Set(tags).size).toBe(4);
});

test.each<[string, MediaOverride, string]>([
  ['an array', own, 'audio/wav'],
  ['a Buffer', Buffer.from(own), 'audio/wav'],
  ['a function', (range) => (range ? own.slice(range.start, range.end + 1) : own), 'audio/wav'],
  ['an array with its type', { bytes: own, content_type: 'audio/mpeg' }, 'audio/mpeg'],
  [
    'a function with its type',
    { bytes: (range) => own.slice(range?.start, range && range.end + 1), content_type: 'audio/ogg' },
    'audio/ogg',
  ],
  ['an array with an undefined type', { bytes: own, content_type: undefined }, 'audio/wav'],
])('%s of the test is served with byte ranges, an entity tag and HEAD', async (_, audio, type) => {
  const { id, media } = mock.memories.add({ media: { audio } });
  expect(media).toEqual({ audio: { object_key: `${id}/audio`, content_type: type } });
  expect(mock.memories.all().find((memory) => memory.id === id)?.media).toEqual(media);
  const whole = await load(id);
  expect(whole).toMatchObject({ status: 200, bytes: own, headers: { 'content-type': type, 'content-length': '1000' } });
  const etag = String(whole.headers.etag);
  expect(await load(id, 'audio', { method: 'HEAD' })).toMatchObject({ bytes: new Uint8Array(), headers: { etag } });
  expect(await load(id, 'audio', { headers: { range: 'bytes=-3' } })).toMatchObject({
    status: 206,
    bytes: own.subarray(997),
  });
  expect(await load(id, 'audio', { headers: { range: 'bytes=10-19', 'if-range': etag } })).toMatchObject({
    status: 206,
    bytes: own.subarray(10, 20),
  });
  expect((await load(id, 'audio', { headers: { 'if-none-match': etag } })).status).toBe(304);
});

test('own bytes stay with their memory, are copied, and end with an update, a removal or a reset', async () => {
  const mine = own.slice();
  const { id } = mock.memories.addProcessing({ media: { audio: mine, preview_image: new Uint8Array() } });
  const tag = await tagOf(id);
  mine.fill(0);
  mock.memories.finishProcessing(id, { name: 'Talk' });
  expect(await bytesOf(id)).toEqual(own);
  expect((await load(id, 'preview_image')).bytes).toHaveLength(0);
  mock.memories.update(id, { media: { audio: mine } });
  expect(await bytesOf(id)).toEqual(mine);
  expect(await tagOf(id)).not.toBe(tag);

  const ends: Record<string, () => unknown> = {
    update: () => mock.memories.update(id, { media: { audio: { object_key: 'a.wav', content_type: 'audio/wav' } } }),
    removal: () => mock.memories.remove(id),
    reset: () => mock.reset(),
  };
  for (const [name, end] of Object.entries(ends)) {
    end();
    const isGone = name !== 'update';
    if (isGone) mock.memories.add({ id, media: { audio: { object_key: `${id}/audio`, content_type: 'audio/wav' } } });
    expect((await bytesOf(id)).length, name).toBe(44 + 300 * 8000);
    mock.memories.update(id, { media: { audio: own } });
    expect(await bytesOf(id), name).toEqual(own);
  }
});

const refused = 'Pass a Uint8Array, a function that returns one, or object_key and content_type.';

test.each<[string, unknown, string]>([
  ['an ArrayBuffer', new ArrayBuffer(8), `media.audio has a value of type ArrayBuffer instead of bytes. ${refused}`],
  ['a Blob', new Blob(['a']), `media.audio has a value of type Blob instead of bytes. ${refused}`],
  ['a promise', Promise.resolve(own), `media.audio has a value of type Promise instead of bytes. ${refused}`],
  ['numbers', [1, 2], `media.audio has a value of type Array instead of bytes. ${refused}`],
  ['bytes: a text', { bytes: 'UklGRg==' }, `media.audio has "UklGRg==" instead of bytes. ${refused}`],
  ['bytes: undefined', { bytes: undefined }, `media.audio has undefined instead of bytes. ${refused}`],
  [
    'an async function',
    async () => own,
    `the function of media.audio returned a value of type Promise instead of bytes. ${refused}`,
  ],
  [
    'another field',
    { bytes: own, type: 'audio/ogg' },
    'the field media.audio.type is not supported. Use one of: content_type, bytes.',
  ],
])('refuses %s instead of bytes, and keeps the memory as it was', async (_, audio, problem) => {
  const { id, name, media } = mock.memories.add({ media: { audio: own } });
  const changes = { name: 'Changed', media: { audio: audio as Uint8Array } };
  expect(() => mock.memories.update(id, changes)).toThrow(`Failed to update a memory: ${problem}`);
  expect(() => mock.memories.add(changes)).toThrow(`Failed to add a memory: ${problem}`);
  expect(mock.memories.all().find((memory) => memory.id === id)).toMatchObject({ name, media });
  expect(await bytesOf(id)).toEqual(own);
});

test('a function that ignores the range is a 500, and the console names it', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { id } = mock.memories.add({ media: { audio: () => own } });
  expect((await load(id)).bytes).toEqual(own);
  expect(printed).not.toHaveBeenCalled();
  expect((await load(id, 'audio', { headers: { range: 'bytes=10-19' } })).status).toBe(500);
  expect(String(printed.mock.calls.flat().join(' '))).toContain(
    'Failed to serve media.audio: its function did not return the 10 bytes of the range 10 to 19. Both ends are included.',
  );
  printed.mockRestore();
});

test('the store checks the rest: an unknown kind, a type of another kind', () => {
  expect(() => mock.memories.add({ media: { audio: own, film: own } as object })).toThrow(
    'media.film is an unknown field',
  );
  expect(() => mock.memories.add({ media: { audio: { bytes: own, content_type: 'text/html' } } })).toThrow(
    'media.audio.content_type is not an audio type',
  );
});

test.each<Fault | undefined>([undefined, { delay: 1 }, 'cut', 'no-ranges', 'wrong-content-type'])(
  'a recording of a day is a stream, its first bytes come without the others, with the fault %j',
  async (fault) => {
    const { id } = mock.memories.add({ duration_seconds: 86_400 });
    if (fault !== undefined) mock.faults.next(fault, { match: { media: 'audio' } });
    const response = await mock.fetch(await urlOf(id, 'audio'));
    expect(response.headers.get('content-length')).toBe(String(44 + 86_400 * 8000));
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeLessThan(100_000);
    await reader?.cancel();
  },
);
