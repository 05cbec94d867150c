import { expect, test } from 'vitest';
import { createTranscriptCache } from './transcript-cache.ts';

const transcript = (bytes: number, state = '1') => ({ state, utf8: new Uint8Array(bytes) });

test('what was put last stays, up to the bytes allowed', () => {
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

test('what is put again takes the place of the older one, and is the newest', () => {
  const cache = createTranscriptCache(100);
  cache.put('one', transcript(40));
  cache.put('two', transcript(50));
  cache.put('one', transcript(50, '2'));
  expect(cache.get('one')?.state).toBe('2');
  cache.put('three', transcript(50));
  expect([cache.get('one')?.state, cache.get('two')]).toEqual(['2', undefined]);
});

test('what is larger than all that is allowed is not kept, and costs no more than the rest', () => {
  const cache = createTranscriptCache(100);
  cache.put('one', transcript(101));
  expect(cache.get('one')).toBeUndefined();
  cache.put('two', transcript(100));
  expect(cache.get('two')?.utf8).toHaveLength(100);
});
