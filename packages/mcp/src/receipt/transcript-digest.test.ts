import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { spokenMemory } from '../testing/spoken-memory.ts';
import { transcriptDigest } from './transcript-digest.ts';

const memory = spokenMemory([['Speaker 1', 'Grüße \ud800 🚀']]);
const [segment] = memory.transcript?.segments ?? [];

test('returns the SHA-256 of start and segments as JSON', () => {
  const rows = [['Speaker 1', '2026-08-20T10:00:00.000Z', '2026-08-20T10:00:01.900Z', 'Grüße \ud800 🚀']];
  const hash = createHash('sha256')
    .update(JSON.stringify(['2026-08-20T10:00:00.000Z', rows]))
    .digest('base64url');
  expect(transcriptDigest(memory)).toBe(`sha256-${hash}`);
  expect(transcriptDigest({ ...memory, transcript: null })).toMatch(/^sha256-[\w-]{43}$/);
});

test('ignores name, summary, URLs and the order of keys', () => {
  const other = { ...memory, name: 'Other', summary: null, audio_url: null, is_processing: true };
  const reordered = Object.fromEntries(Object.entries(segment ?? {}).reverse());
  expect(transcriptDigest({ ...other, transcript: { segments: [reordered as never] } })).toBe(transcriptDigest(memory));
});

test.each(['speaker', 'start_at', 'end_at', 'text'])('changes with %s', (name) => {
  const changed = { ...memory, transcript: { segments: [{ ...segment, [name]: 'x' } as never] } };
  expect(transcriptDigest(changed)).not.toBe(transcriptDigest(memory));
});

test('changes when a memory is changed in place', () => {
  const own = structuredClone(memory);
  const before = transcriptDigest(own);
  own.transcript?.segments.pop();
  expect(transcriptDigest(own)).not.toBe(before);
  expect(transcriptDigest({ ...own, transcript: null })).not.toBe(transcriptDigest(own));
});
