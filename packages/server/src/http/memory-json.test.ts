import { expect, test } from 'vitest';
import { toStoredMemory } from '../records/to-stored-memory.ts';
import { createRecord } from '../testing/test-records.ts';
import { memoryJson } from './memory-json.ts';

const media = { audio: { object_key: 'a.wav', content_type: 'audio/wav' } };
const row = toStoredMemory('ada', createRecord({ id: 'one', media }));

function jsonSignedWith(sign: () => unknown, signal = new AbortController().signal): Promise<string> {
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
