import { edgeCases } from '@memory-read/fixtures';
import { createInMemoryStore } from '@memory-read/server';
import { allOf } from '@memory-read/test-kit/all-of';
import { expect, test } from 'vitest';
import { purgeMemories } from '../purge/purge-memories.ts';
import { openTestMirror } from '../testing/open-test-mirror.ts';
import { exportRecords } from './export-records.ts';

const always = () => true;

test('yields records that a store accepts unchanged, with every word', async () => {
  const mirror = openTestMirror();
  const cases = Object.values(edgeCases).map(({ media: _, ...fields }) => fields);
  for (const fields of cases) mirror.keep({ ...fields, added_later: { by: 'https://api.example.com/x' } });
  const records = await allOf(exportRecords(mirror.database, always));
  const store = createInMemoryStore();
  await store.putAccount({ userId: 'user_1' });
  expect(await store.putMemories('user_1', records)).toBe(cases.length);
  const byId = new Map(records.map((record) => [record.id, record]));
  for (const fields of cases) expect(byId.get(fields.id)).toEqual({ ...fields, media: {} });
});

test('names media by their path in the folder media, with a type of their kind', async () => {
  const mirror = openTestMirror();
  const media = {
    audio: 'media/22132404d6ef307bd60429c0/audio-1.webm',
    video: 'media/22132404d6ef307bd60429c0/video-1',
    preview_image: 'media/22132404d6ef307bd60429c0/preview_image-1.jpg',
  };
  mirror.keep({}, { media });
  const [record] = await allOf(exportRecords(mirror.database, always));
  expect(record?.media).toEqual({
    audio: { object_key: '22132404d6ef307bd60429c0/audio-1.webm', content_type: 'video/webm' },
    video: { object_key: '22132404d6ef307bd60429c0/video-1', content_type: 'video/mp4' },
    preview_image: { object_key: '22132404d6ef307bd60429c0/preview_image-1.jpg', content_type: 'image/jpeg' },
  });
});

test('yields only records of the range, newest first', async () => {
  const mirror = openTestMirror();
  for (const year of ['2024', '2026', '2025']) mirror.keep({ id: year, started_at: `${year}-01-01T00:00:00Z` });
  const from = Date.parse('2025-01-01T00:00:00Z');
  const records = await allOf(exportRecords(mirror.database, (instant) => instant >= from));
  expect(records.map(({ id }) => id)).toEqual(['2026', '2025']);
});

test('leaves out a memory that is purged during the export', async () => {
  const mirror = openTestMirror();
  for (const year of ['2024', '2025', '2026']) mirror.keep({ id: year, started_at: `${year}-01-01T00:00:00Z` });
  const ids: string[] = [];
  for await (const { id } of exportRecords(mirror.database, always)) {
    ids.push(id);
    if (id === '2026') await purgeMemories(mirror, ['2025']);
  }
  expect(ids).toEqual(['2026', '2024']);
});
