import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, test } from 'vitest';
import { slotOf } from '../search/index-position.ts';
import { openTestMirror } from '../testing/open-test-mirror.ts';
import { toStoredContent } from './stored-content.ts';
import { writeVersion } from './write-version.ts';

let mirror: ReturnType<typeof openTestMirror>;

beforeEach(() => {
  mirror = openTestMirror();
});

const segment = { speaker: 'Speaker 1', start_at: '2026-08-20T10:00:01Z', end_at: '2026-08-20T10:00:02Z' };
const said = (...texts: string[]) => ({ transcript: { segments: texts.map((text) => ({ ...segment, text })) } });
const write = (overrides: Record<string, unknown> = {}) =>
  writeVersion(mirror.database, toStoredContent(sampleMemory(overrides)), { now: 0, fields: [] });
const row = () => mirror.database.prepare('SELECT * FROM memories').get();

test('stores which URLs existed instead of the URLs', () => {
  expect(write({ video_url: 'https://media.example.com/v?signature=SECRET' })).toEqual({
    memoryKey: 1,
    version: 1,
    doubts: [],
  });
  const { content, media } = mirror.database.prepare('SELECT content, media FROM versions').get() ?? {};
  expect(media).toBe('audio video');
  expect(content).toContain('Good morning.');
  expect(content).not.toMatch(/https|SECRET/);
  expect(row()).toMatchObject({ current_version: 1, indexed_version: 1 });
});

test.each([
  ['null', { transcript: null }],
  ['no segment', said()],
  ['no word', said('…', ' ', '?!')],
])('keeps the words in the index if a transcript has %s, and replaces a version without words', (_name, silent) => {
  write(silent);
  write({ ...silent, name: 'Two' });
  expect(row()).toMatchObject({ current_version: 2, indexed_version: 2 });
  write(said('Hello', 'there'));
  expect(row()).toMatchObject({ current_version: 3, indexed_version: 3 });
  write({ ...silent, started_at: '2020-01-01T00:00:00Z' });
  expect(row()).toMatchObject({
    current_version: 4,
    indexed_version: 3,
    started_at: Date.parse('2020-01-01'),
    start_slot: slotOf(Date.parse('2026-08-20T10:00:00Z')),
  });
  write(said('今'));
  expect(row()).toMatchObject({ current_version: 5, indexed_version: 5 });
});

test('moves the position in the index with the start, and keeps it within one second', () => {
  write();
  write({ id: 'mem_2' });
  const places = () =>
    mirror.database.prepare('SELECT start_slot, disambiguator FROM memories ORDER BY memory_key').all();
  const before = places();
  write({ id: 'mem_2', started_at: '2026-08-20T10:00:00.900Z' });
  expect(places()).toEqual(before);
  write({ started_at: '2026-08-20T10:00:01Z' });
  expect(places()).toEqual([{ start_slot: Number(before[0]?.start_slot) + 1, disambiguator: 0 }, before[1]]);
});
