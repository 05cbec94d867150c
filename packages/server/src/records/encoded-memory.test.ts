import { expect, test } from 'vitest';
import { createRecord } from '../testing/test-records.ts';
import { type EncodedMemory, toDecodedMemory, transcriptOf } from './encoded-memory.ts';
import { toStoredMemory } from './to-stored-memory.ts';

const text = '{"segments":[{"text":"\ufeff “Ünïcödé” 😀"}]}';
const stored = { ...toStoredMemory('ada', createRecord({ id: 'one', transcript: null })), transcriptJson: text };
const { transcriptJson: _, ...fields } = stored;
const encoded: EncodedMemory = { ...fields, transcriptUtf8: new TextEncoder().encode(text) };

test('an encoded memory has its transcript as bytes, and decodes to the memory that was stored', () => {
  expect(transcriptOf(encoded)).toBe(encoded.transcriptUtf8);
  expect(toDecodedMemory(encoded)).toEqual(stored);
});

test.each([text, null, undefined])('a memory whose transcript is %s is decoded already', (transcriptJson) => {
  const memory = { ...stored, transcriptJson };
  expect(transcriptOf(memory)).toBe(transcriptJson);
  expect(toDecodedMemory(memory)).toBe(memory);
});
