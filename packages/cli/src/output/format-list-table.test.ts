import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test, vi } from 'vitest';
import { displayWidth } from '../terminal/fit-text.ts';
import { listTableLines } from './format-list-table.ts';

const memories = [
  ['mem_01M81GQ4T7Y7V9Z0B3C5D8E2F6', 'Morning sync, platform team', true],
  ['mem_01M818ZZT7Y7V9Z0B3C5D8E2F6', '週次の計画会議、来月の予定と予算について話す', false],
  ['mem_01M7ZB00T7Y7V9Z0B3C5D8E2F6', 'Parent-teacher talk about Derek and the school trip to the lake', false],
].map(([id, name, is_processing]) =>
  sampleListedMemory({
    id: id as string,
    name: name as string,
    is_processing: is_processing as boolean,
    started_at: '2026-11-22T12:26:00Z',
    duration_seconds: 49,
    audio_url: 'https://media.test/secret',
  }),
);
const ids = memories.map(({ id }) => id);

vi.stubEnv('TZ', 'UTC');

test('shows whole ids at 200 columns, and unique prefixes of them at 80 columns', () => {
  const wide = formatListTable(memories, { width: 200, ids }).split('\n').slice(1);
  expect(wide.map((line) => line.split(/ {2,}/)[0])).toEqual(ids);
  expect(wide.map((line) => line.split(/ {2,}/)[3])).toEqual(memories.map(({ name }) => name));
  expect(`\n${formatListTable(memories, { width: 80, ids })}\n`).toMatchInlineSnapshot(`
    "
    ID          STARTED           LENGTH      NAME
    mem_01M81G  2026-11-22 12:26  processing  Morning sync, platform team
    mem_01M818  2026-11-22 12:26  0:49        週次の計画会議、来月の予定と予算につ…
    mem_01M7    2026-11-22 12:26  0:49        Parent-teacher talk about Derek and t…
    "
  `);
});

test('omits the length and cuts names at 40 columns', () => {
  expect(`\n${formatListTable(memories, { width: 40, ids })}\n`).toMatchInlineSnapshot(`
    "
    ID          STARTED           NAME
    mem_01M81G  2026-11-22 12:26  Morning s…
    mem_01M818  2026-11-22 12:26  週次の計…
    mem_01M7    2026-11-22 12:26  Parent-te…
    "
  `);
});

test('shows prefixes that are unique also among memories that are not shown', () => {
  const others = [...ids, 'mem_01M81GQ4T8'];
  expect(formatListTable(memories.slice(0, 1), { width: 80, ids: others })).toContain('\nmem_01M81GQ4T7  ');
});

test('shows chosen fields as columns in their order, no URLs, and whole ids', () => {
  const fields = ['name', 'audio_url', 'id', 'media', 'status'] as const;
  const table = formatListTable(memories, { width: 60, ids, fields });
  expect(`\n${table}\n`).toMatchInlineSnapshot(`
    "
    NAME                AUDIO_URL  ID          MEDIA  STATUS
    Morning sync, pla…  yes        mem_01M81G  audio  processing
    週次の計画会議、…   yes        mem_01M818  audio  processed
    Parent-teacher ta…  yes        mem_01M7    audio  processed
    "
  `);
});

test.each(Array.from({ length: 60 }, (_, index) => index * 4 + 1))('no row is wider than %i columns', (width) => {
  for (const fields of [undefined, ['id', 'name', 'summary', 'ended_at', 'user_id'] as const]) {
    const rows = formatListTable(memories, { width, ids, fields }).split('\n');
    expect(rows).toHaveLength(4);
    expect(Math.max(...rows.map(displayWidth))).toBeLessThanOrEqual(width);
    const [, first = ''] = rows;
    if (width > 12) expect(ids.filter((id) => id.startsWith(first.split(' ')[0] ?? 'none'))).toEqual([ids[0]]);
  }
});

function formatListTable(...table: Parameters<typeof listTableLines>): string {
  return [...listTableLines(...table)].join('\n');
}
