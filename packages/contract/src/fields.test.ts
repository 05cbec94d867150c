import { expect, test } from 'vitest';
import { type Field, fieldNames, type MemoryField, mediaKinds, memoryFields, partFields } from './fields.ts';

test('the fields of a memory are those of section 2.1, in its order; later ones follow', () => {
  const first = Object.entries<MemoryField>(memoryFields).filter(([, { addedIn }]) => addedIn === undefined);
  expect(first.map(toText)).toEqual([
    'id string',
    'name string',
    'started_at date-time',
    'ended_at date-time',
    'is_processing boolean',
    'user_id string',
    'duration_seconds integer',
    'audio_url uri or null',
    'video_url uri or null',
    'preview_image_url uri or null',
    'transcript Transcript or null',
    'summary Summary or null',
  ]);
  expect(fieldNames.slice(0, first.length)).toEqual(first.map(([name]) => name));
});

test('the fields of transcript, segment and summary are those of sections 2.2 to 2.4', () => {
  const parts = Object.entries<Record<string, Field>>(partFields);
  expect(Object.fromEntries(parts.map(([part, rows]) => [part, Object.entries(rows).map(toText)]))).toEqual({
    Transcript: ['segments Segment[]'],
    Segment: ['speaker string', 'start_at date-time', 'end_at date-time', 'text string'],
    Summary: ['quick_summary string', 'key_takeaways string[]'],
  });
});

test('the media of a memory are its fields that hold signed URLs', () => {
  expect(mediaKinds).toEqual(['audio', 'video', 'preview_image']);
  const signed = Object.entries<MemoryField>(memoryFields).filter(([, { from }]) => from === 'signer');
  expect(signed.map(([name, { type }]) => `${name} ${type}`)).toEqual(mediaKinds.map((kind) => `${kind}_url uri`));
});

function toText([name, { type, nullable }]: [string, Field]): string {
  return `${name} ${type}${nullable ? ' or null' : ''}`;
}
