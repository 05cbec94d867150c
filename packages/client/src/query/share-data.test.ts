import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useFakeTimers } from '../testing/fake-timers.ts';
import { shareData } from './share-data.ts';

const MARGIN = 300_000;
const now = new Date('2026-11-20T12:00:00Z');
const share = <Fresh>(old: unknown, fresh: Fresh): Fresh => shareData(old, fresh, MARGIN);
const signed = (minutes: number, signature = 'a') =>
  `https://media.example.com/1.wav?expires=${now.getTime() / 1000 + minutes * 60}&signature=${signature}`;

useFakeTimers({ now, toFake: ['Date'] });

test('keeps the identity of parts that are deeply equal', () => {
  const old = sampleMemory();
  expect(share(old, structuredClone(old))).toBe(old);
  const shared = share(old, { ...structuredClone(old), name: 'Other' });
  expect(shared).toEqual({ ...old, name: 'Other' });
  expect([shared.transcript, shared.summary]).toEqual([old.transcript, old.summary]);
  expect(shared.transcript).toBe(old.transcript);
  expect(shared.summary).toBe(old.summary);
});

test('compares memories of a list by id, not by position', () => {
  const old = [sampleMemory({ id: 'a' }), sampleMemory({ id: 'b' })];
  const fresh = structuredClone([sampleMemory({ id: 'c' }), ...old]);
  const shared = share(old, fresh);
  expect(shared).toEqual(fresh);
  expect([shared[1] === old[0], shared[2] === old[1]]).toEqual([true, true]);
  expect(share(old, structuredClone(old))).toBe(old);
  expect(share(old, structuredClone([...old].reverse()))).toEqual([...old].reverse());
});

describe('a URL', () => {
  const audio = (audio_url: string | null) => sampleMemory({ audio_url });

  test.each([
    ['a new signature', signed(60), signed(62, 'b'), true],
    ['a lifetime of more than the margin and a minute', signed(6.1), signed(60), true],
    ['a shorter lifetime', signed(6), signed(60), false],
    ['no stated expiry', 'https://m.example.com/a?x=1', 'https://m.example.com/a?x=2', false],
    ['another path', signed(60), signed(60, 'b').replace('1.wav', '2.wav'), false],
    ['another host', signed(60), signed(60, 'b').replace('media', 'cdn'), false],
  ])('with %s', (_, before, after, isKept) => {
    const shared = share(audio(before), audio(after));
    expect(shared.audio_url).toBe(isKept ? before : after);
  });

  test('is the fresh one if it was added or removed', () => {
    expect(share(audio(signed(60)), audio(null)).audio_url).toBeNull();
    expect(share(audio(null), audio(signed(60))).audio_url).toBe(signed(60));
  });

  test('is treated as text in a transcript', () => {
    const said = (text: string) => ({ segments: [{ text }] });
    expect(share(said(signed(60)), said(signed(60, 'b')))).toEqual(said(signed(60, 'b')));
  });
});

test('accepts any JSON, returns a value equal to the fresh one, and changes neither side', () => {
  const value = fc.jsonValue();
  fc.assert(
    fc.property(value, value, (old, fresh) => {
      const before = structuredClone([old, fresh]);
      expect(share(old, fresh)).toEqual(before[1]);
      expect(share(fresh, structuredClone(fresh))).toBe(fresh);
      expect([old, fresh]).toEqual(before);
    }),
  );
});

test('accepts other values: dates, maps, circles, deep objects, and names such as __proto__', () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  const other: { self?: unknown } = {};
  other.self = other;
  for (const fresh of [new Date(1), new Map([[1, 2]]), Symbol.iterator, () => 1, undefined, circle]) {
    expect(share(other, fresh)).toEqual(fresh);
  }
  const named = JSON.parse('{"__proto__":{"polluted":1},"a":1}');
  expect(Object.keys(share({ a: 2 }, named))).toEqual(['__proto__', 'a']);
  const deep = JSON.parse(`${'['.repeat(5_000)}1${']'.repeat(5_000)}`);
  expect(share(JSON.parse(`${'['.repeat(5_000)}2${']'.repeat(5_000)}`), deep)).toBeDefined();
});
