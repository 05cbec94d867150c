import { beforeEach, expect, test } from 'vitest';
import type { StoredMemory } from '../ports/memory-store.ts';
import { createRecord } from '../testing/test-records.ts';
import { toStoredMemory } from './to-stored-memory.ts';
import { transcriptTextOf, withEncodedTranscript } from './transcript-text.ts';

const text = '{"segments":[{"text":"\ufeff “Ünïcödé” 😀"}]}';
const utf8 = new TextEncoder().encode(text);
const other = '{"segments":[]}';

let row: StoredMemory;

beforeEach(() => {
  row = withEncodedTranscript(toStoredMemory('ada', createRecord({ id: 'one', transcript: null })), utf8);
});

test('an encoded transcript is sent as it is, and read as text', () => {
  expect(transcriptTextOf(row)).toBe(utf8);
  expect(row.transcriptJson).toBe(text);
  expect(JSON.parse(JSON.stringify(row))).toEqual({ ...row, transcriptJson: text });
  expect(transcriptTextOf(row)).toBe(utf8);
});

test('a copy has the text, and a change of it counts', () => {
  expect(transcriptTextOf({ ...row })).toBe(text);
  expect(transcriptTextOf({ ...row, transcriptJson: other })).toBe(other);
  expect(transcriptTextOf(structuredClone(row))).toBe(text);
});

test.each([other, null, undefined])('a row whose transcript is set to %s says so', (transcriptJson) => {
  row.transcriptJson = transcriptJson;
  expect(transcriptTextOf(row)).toBe(transcriptJson);
  expect(row.transcriptJson).toBe(transcriptJson);
});

test('a row that lost its transcript, or got it defined anew, says so', () => {
  Object.defineProperty(row, 'transcriptJson', { get: () => other });
  expect(transcriptTextOf(row)).toBe(other);
  delete row.transcriptJson;
  expect(transcriptTextOf(row)).toBeUndefined();
});

test('what stands before a row decides', () => {
  const get = (target: StoredMemory, key: keyof StoredMemory) => (key === 'transcriptJson' ? other : target[key]);
  expect(transcriptTextOf(new Proxy(row, { get: get as never }))).toBe(other);
  expect(transcriptTextOf(Object.create(row, { transcriptJson: { value: other } }))).toBe(other);
});
