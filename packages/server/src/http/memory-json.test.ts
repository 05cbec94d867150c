import { expect, test } from 'vitest';
import { toStoredMemory } from '../records/to-stored-memory.ts';
import { withEncodedTranscript } from '../records/transcript-text.ts';
import { createRecord } from '../testing/test-records.ts';
import { memoryJson } from './memory-json.ts';
import type { WholeBody } from './whole-body.ts';

const media = { audio: { object_key: 'a.wav', content_type: 'audio/wav' } };
const row = toStoredMemory('ada', createRecord({ id: 'one', media }));

function jsonSignedWith(sign: () => unknown, signal = new AbortController().signal): Promise<WholeBody> {
  return memoryJson(row, { signer: { sign: sign as () => string }, expiresAt: new Date(0), signal });
}

test.each([undefined, null, new URL('https://media.test/a')])('a signer that returns %s is a failure', async (url) => {
  const message = `Failed to sign a media URL: because the signer returned ${typeof url}. Return the URL as text.`;
  await expect(jsonSignedWith(() => url)).rejects.toThrow(new TypeError(message));
  await expect(jsonSignedWith(async () => url)).rejects.toThrow(new TypeError(message));
});

test('a signer that never ends does not hold a caller who leaves, nor one who has left', async () => {
  const caller = new AbortController();
  const left = new Error('left');
  const waiting = jsonSignedWith(() => new Promise(() => {}), caller.signal);
  caller.abort(left);
  await expect(waiting).rejects.toBe(left);
  await expect(jsonSignedWith(() => new Promise(() => {}), caller.signal)).rejects.toBe(left);
});

test('an encoded transcript is spliced in as it is, between what a text is spliced into', async () => {
  const utf8 = new TextEncoder().encode(row.transcriptJson ?? '');
  const encodedRow = withEncodedTranscript({ ...row }, utf8);
  const mediaUrls = {
    signer: { sign: () => 'https://media.test/a' },
    expiresAt: new Date(0),
    signal: new AbortController().signal,
  };
  const [start, transcript, end] = await memoryJson(encodedRow, mediaUrls);
  expect(transcript).toBe(utf8);
  expect(`${start}${row.transcriptJson}${end}`).toBe(await memoryJson(row, mediaUrls));
});
