import { expect, test, vi } from 'vitest';
import { toStoredMemory } from '../records/to-stored-memory.ts';
import { createRecord } from '../testing/test-records.ts';
import { type MemoryJson, memoryJson } from './memory-json.ts';

const media = { audio: { object_key: 'a.wav', content_type: 'audio/wav' } };
const row = toStoredMemory('ada', createRecord({ id: 'one', media }));
const requested = { userId: 'ada', memoryId: 'one' };
const textOf = (parts: readonly unknown[]) => parts.join('');

function urlsBy(sign: (object: { contentType: string }) => unknown, signal = new AbortController().signal) {
  return { signer: { sign: sign as () => string }, expiresAt: new Date(0), signal };
}

function jsonSignedWith(sign: () => unknown, signal?: AbortSignal) {
  return memoryJson(row, requested, urlsBy(sign, signal));
}

test.each([undefined, null, new URL('https://media.test/a')])('a signer that returns %s is a failure', async (url) => {
  const message = `Failed to sign a media URL: the signer returned ${typeof url}. Return the URL as text.`;
  await expect(jsonSignedWith(() => url)).rejects.toThrow(new TypeError(message));
  await expect(jsonSignedWith(async () => url)).rejects.toThrow(new TypeError(message));
});

test('a signer that never returns does not block a client that disconnects', async () => {
  const caller = new AbortController();
  const left = new Error('left');
  const waiting = jsonSignedWith(() => new Promise(() => {}), caller.signal);
  caller.abort(left);
  await expect(waiting).rejects.toBe(left);
  await expect(jsonSignedWith(() => new Promise(() => {}), caller.signal)).rejects.toBe(left);
});

test('inserts an encoded transcript unchanged into the JSON', async () => {
  const utf8 = new TextEncoder().encode(String(row.transcriptJson));
  const mediaUrls = urlsBy(() => 'https://media.test/a');
  const [start, transcript, end] = await memoryJson({ ...row, transcriptJson: utf8 }, requested, mediaUrls);
  expect(transcript).toBe(utf8);
  expect([start, row.transcriptJson, end]).toEqual(await memoryJson(row, requested, mediaUrls));
});

test('signs URLs one after the other, so that none is pending when one has failed', async () => {
  const video = { object_key: 'a.webm', content_type: 'video/webm' };
  const signs = vi.fn(async ({ contentType }) => contentType).mockRejectedValueOnce(new Error('no credentials'));
  const withTwo = { ...row, media: { ...media, video } };
  const mediaUrls = urlsBy(signs);
  await expect(memoryJson(withTwo, requested, mediaUrls)).rejects.toThrow('no credentials');
  expect(signs).toHaveBeenCalledTimes(1);
  expect(JSON.parse(textOf(await memoryJson(withTwo, requested, mediaUrls)))).toMatchObject({
    audio_url: 'audio/wav',
    video_url: 'video/webm',
    preview_image_url: null,
  });
});

test('does not wait for a signer that returns a URL without a promise', () => {
  expect(textOf(jsonSignedWith(() => 'https://media.test/a') as MemoryJson)).toMatch(
    /"audio_url":"https:\/\/media.test\/a"/,
  );
});
