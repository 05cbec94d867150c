import { createInMemoryStore, type MediaObject } from '@memory-read/server';
import { mediaFrom } from '@memory-read/test-kit/memory-service';
import { expect, test } from 'vitest';
import { createDemoMedia } from './demo-media.ts';
import { demoRecordingOf, demoUserId } from './demo-recording.ts';
import { prepareDemo } from './prepare-demo.ts';

const store = createInMemoryStore();
const storage = { ...store, checkReadiness: async () => {}, close: async () => {} };
const demo = await prepareDemo(storage, new Date('2026-07-08T09:30:00Z'));
const media = createDemoMedia(storage);

async function bytesOf(object: MediaObject | undefined): Promise<Uint8Array> {
  return new Response(object?.stream({ start: 0, end: 99_999 })).bytes();
}

test('all recordings of a demo have less than 50 MB, and last as long as their memories', async () => {
  let total = 0;
  for await (const { media: references, duration_seconds } of storage.listMemories({ userId: demoUserId })) {
    const sizes = new Map<string, number>();
    for (const [kind, reference] of Object.entries(references)) {
      const { size = 0 } = (await media.open(String(reference?.object_key))) ?? {};
      sizes.set(kind, size);
      total += size;
    }
    const isComputed = references.audio?.content_type === 'audio/wav';
    expect(isComputed ? sizes.get('audio') : 44 + duration_seconds * 8000).toBe(44 + duration_seconds * 8000);
  }
  expect(total).toBeLessThan(50_000_000);
  expect(total).toBeGreaterThan(5_000_000);
});

test('a recording stays the same when its processing ends', async () => {
  const [memoryId = ''] = demo.processingIds;
  const before = await media.open(`${memoryId}/audio.wav`);
  await storage.finishProcessing(demoUserId, memoryId, demoRecordingOf(memoryId) as never);
  const after = await media.open(`${memoryId}/audio.wav`);
  expect(after?.etag).toBe(before?.etag);
  expect(Buffer.compare(await bytesOf(after), await bytesOf(before))).toBe(0);
  expect(new Set(await bytesOf(after)).size).toBeGreaterThan(50);
});

test.each([
  ['a computed file', () => `${demo.processingIds[0]}/audio.wav`],
  ['a file of the showcase', () => `${demo.memoryId}/audio.webm`],
])('a file in the folder wins over %s, and nothing is computed for other keys', async (_, keyOf) => {
  const mine = new Uint8Array([1, 2, 3]);
  const key = keyOf();
  const withFolder = createDemoMedia(
    storage,
    mediaFrom((objectKey) => (objectKey === key ? mine : undefined)),
  );
  expect((await withFolder.open(key))?.size).toBe(3);
  expect((await media.open(key))?.size).toBeGreaterThan(3);
  for (const other of [`${demo.memoryId}/other.wav`, 'mem_1/audio.wav', String(demo.memoryId), '/audio.wav', '']) {
    expect(await withFolder.open(other)).toBeUndefined();
  }
});
