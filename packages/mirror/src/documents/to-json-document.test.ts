import type { Memory } from '@memory-read/client';
import { memoryFields } from '@memory-read/contract/fields';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { toJsonDocument } from './to-json-document.ts';

const url = 'https://storage.example.com/wave.json?signature=SECRET&expires=1#SECRET';
const memory = sampleMemory({
  name: `Look at ${url}`,
  audio_url: url,
  transcript: { segments: [{ speaker: 'Speaker 1', start_at: '', end_at: '', text: url, clip_url: url }] },
  summary: { quick_summary: url, key_takeaways: [url] },
});

test('keeps the text of a field that is added later, unless it is signed', () => {
  const added = { type: 'uri', nullable: true, addedIn: '1.1.0' } as const;
  const located = { ...memory, location_url: url };
  const toFields = (from: 'record' | 'signer') =>
    JSON.parse(toJsonDocument(located, { ...memoryFields, location_url: { ...added, from } }));
  expect(toFields('record').location_url).toBe(url);
  expect(Object.keys(toFields('signer'))).not.toContain('location_url');
});

test('cuts the queries of URLs in unknown fields at any depth', () => {
  const unknown = { waveform_url: url, parts: [{ name: `one ${url}, two ${url}` }], count: 3 };
  const { waveform_url, parts, count, transcript } = JSON.parse(toJsonDocument({ ...memory, ...unknown }));
  const cut = 'https://storage.example.com/wave.json';
  expect([waveform_url, transcript.segments[0].clip_url, count]).toEqual([cut, cut, 3]);
  expect(parts[0].name).not.toContain('SECRET');
});

test('rejects an unknown field that is nested too deeply, instead of exhausting the stack', () => {
  const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
  expect(() => toJsonDocument({ ...memory, colours: deep } as Memory)).toThrow(
    'Failed to write JSON: a field that the API does not specify is nested too deeply. Choose another format',
  );
});
