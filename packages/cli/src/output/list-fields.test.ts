import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { parseListFields, pickListFields } from './list-fields.ts';

const memory = sampleListedMemory({
  id: 'mem_1',
  is_processing: true,
  audio_url: 'https://media.test/a',
  video_url: null,
  preview_image_url: 'https://media.test/i',
});

test('keeps the order of the fields in JSON', () => {
  const picked = pickListFields(memory, parseListFields('status,media, id,audio_url,id'));
  expect(JSON.stringify(picked)).toBe(
    '{"status":"processing","media":["audio","preview_image"],"id":"mem_1","audio_url":"https://media.test/a"}',
  );
});

test.each([
  ['nome', 'nome'],
  ['id,,name', ''],
  ['', ''],
  ['id,toString', 'toString'],
  ['transcript', 'transcript'],
])('rejects %j with the list of fields', (text, unknown) => {
  expect(() => parseListFields(text)).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message: `Failed to read --fields: "${unknown}" is not a field. Pass names from this list: id, name, started_at, ended_at, duration_seconds, is_processing, user_id, audio_url, video_url, preview_image_url, summary, status, media.`,
    }),
  );
});
