import { expect, test } from 'vitest';
import { createTranscriptCache } from './transcript-cache.ts';

const transcript = (bytes: number, state = '1') => ({ state, utf8: new Uint8Array(bytes) });

test('keeps the newest transcripts, up to the allowed bytes', () => {
  const cache = createTranscriptCache(100);
  const third = transcript(40);
  cache.put('one', transcript(40));
  cache.put('two', transcript(60));
  expect(cache.get('one')?.utf8).toHaveLength(40);
  cache.put('three', third);
  expect(cache.get('one')).toBeUndefined();
  expect(cache.get('two')?.utf8).toHaveLength(60);
  expect(cache.get('three')).toBe(third);
});

test('a transcript that is put again replaces the older one, and is the newest', () => {
  const cache = createTranscriptCache(100);
  cache.put('one', transcript(40));
  cache.put('two', transcript(50));
  cache.put('one', transcript(50, '2'));
  expect(cache.get('one')?.state).toBe('2');
  cache.put('three', transcript(50));
  expect([cache.get('one')?.state, cache.get('two')]).toEqual(['2', undefined]);
});

test('does not cache a transcript that is larger than the limit, and still caches others', () => {
  const cache = createTranscriptCache(100);
  cache.put('one', transcript(101));
  expect(cache.get('one')).toBeUndefined();
  cache.put('two', transcript(100));
  expect(cache.get('two')?.utf8).toHaveLength(100);
});
