import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TestProcess } from '../testing/test-process.ts';
import { createDigest, type DigestMemory } from './digest.ts';
import { digestToMarkdown, digestToText } from './write-digest.ts';

beforeEach(() => void vi.stubEnv('TZ', 'Europe/Berlin'));
afterEach(() => void vi.unstubAllEnvs());

const planning: DigestMemory = {
  id: 'mem_1',
  name: 'Weekly planning',
  started_at: '2026-11-16T08:00:00Z',
  duration_seconds: 2700,
  is_processing: false,
  summary: { quick_summary: 'The team plans the week.', key_takeaways: ['Ship it.', 'Call *Ada*.'] },
};
const week = { since: new Date('2026-11-15T08:00:00Z'), until: new Date('2026-11-22T08:00:00Z') };

test('has a section for each local day, oldest first', async () => {
  const late = { ...planning, id: 'mem_2', name: '', started_at: '2026-11-16T23:30:00Z', summary: null };
  const running = { ...late, id: 'mem_3', name: 'Call', started_at: '2026-11-17T10:00:00Z', is_processing: true };
  const digest = createDigest([running, late, planning], week);
  expect(await digestToMarkdown(digest, 'Memories')).toBe(`# Memories

2026-11-15 09:00 to 2026-11-22 09:00 (Europe/Berlin): 3 memories, 2:15:00, 1 still processing.

## Monday, 16 November 2026

### 09:00 Weekly planning (45:00)

The team plans the week.

- Ship it.
- Call \\*Ada\\*.

## Tuesday, 17 November 2026

### 00:30 Untitled (45:00)

_No summary._

### 11:00 Call (45:00)

_Still processing._
`);
});

test.each([
  [{ since: week.since }, 'From 2026-11-15 09:00 (Europe/Berlin): 0 memories, 0:00.'],
  [{ until: week.until }, 'Until 2026-11-22 09:00 (Europe/Berlin): 0 memories, 0:00.'],
  [{}, 'All times (Europe/Berlin): 0 memories, 0:00.'],
])('names its range', async (range, expected) => {
  expect(await digestToMarkdown(createDigest([], range), 'Memories')).toBe(`# Memories\n\n${expected}\n`);
});

test('escapes texts, so that they stay on their line and do not change the direction of others', async () => {
  const hostile = '# [x](https://evil.test) <b>\n\n## y \u202e';
  const summary = { quick_summary: hostile, key_takeaways: [hostile] };
  const page = await digestToMarkdown(createDigest([{ ...planning, name: hostile, summary }], week), hostile);
  expect(page).not.toMatch(/\u202e|^## y|(?<!\\)\[|(?<!\\)</m);
  expect(page).toContain('\\\\u202e');
  expect(page.split('\n').filter((line) => line.startsWith('#'))).toHaveLength(3);
});

test('shows the offset of times in an hour that occurs twice', async () => {
  const memory = { ...planning, started_at: '2026-10-25T01:30:00Z' };
  expect(await digestToMarkdown(createDigest([memory], {}), 'Memories')).toContain('### 02:30+01:00 Weekly planning');
});

test('has the texts of the API and no URL as JSON', () => {
  const listed = { ...planning, user_id: 'ada', audio_url: 'https://media.test/a?secret' };
  expect(createDigest([listed], week)).toEqual({
    since: '2026-11-15T08:00:00.000Z',
    until: '2026-11-22T08:00:00.000Z',
    timeZone: 'Europe/Berlin',
    memories: [planning],
  });
});

test('on a terminal, the page has its width and colours, and no text of a memory changes it', async () => {
  const process = new TestProcess({ env: { FORCE_COLOR: '1' } });
  Object.assign(process.stdout, { isTTY: true, columns: 40 });
  const summary = {
    quick_summary: 'The team plans the week \u001b[2J. '.repeat(4),
    key_takeaways: ['Ship it. '.repeat(8)],
  };
  const name = 'A planning with a long name, so that it wraps\n# x';
  const text = await digestToText(process, createDigest([{ ...planning, name, summary }], week), 'This week');
  expect(text.startsWith('\u001b[1mThis week\u001b[22m\n')).toBe(true);
  const plain = stripVTControlCharacters(text);
  expect(plain).toContain(
    '\n\nMonday, 16 November 2026\n\n09:00  A planning with a long name, so\n       that it wraps\\n# x (45:00)\n  The team',
  );
  expect(plain).toContain('\n  - Ship it. Ship');
  expect(plain).toContain('\\u001b[2J');
  expect(plain.split('\n').filter((line) => line.length > 40)).toEqual([]);
});
