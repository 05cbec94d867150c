import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test, vi } from 'vitest';
import { columnsOf, listCells } from './list-columns.ts';
import { markdownTable } from './markdown-table.ts';

vi.stubEnv('TZ', 'UTC');

test('prints a table whose cells are texts, whatever the names hold', () => {
  const names = ['a | b', '<b>*x*</b> [l](https://x.test)', 'two\nlines', '\u202eevil\u001b[2J', '\\| c', '日本語'];
  const memories = names.map((name, index) =>
    sampleListedMemory({
      id: `mem_${index}`,
      name,
      started_at: '2026-11-22T12:26:00Z',
      audio_url: 'https://media.test/s',
    }),
  );
  const markdown = markdownTable(listCells(memories));
  expect(`\n${markdown}`).toMatchInlineSnapshot(`
    "
    | ID | STARTED | LENGTH | NAME |
    | --- | --- | --- | --- |
    | mem\\_0 | 2026-11-22 12:26 | 15:00 | a \\| b |
    | mem\\_1 | 2026-11-22 12:26 | 15:00 | \\<b\\>\\*x\\*\\</b\\> \\[l\\](https\\:\\//x.test) |
    | mem\\_2 | 2026-11-22 12:26 | 15:00 | two lines |
    | mem\\_3 | 2026-11-22 12:26 | 15:00 | \\\\u202eevil\\\\u001b\\[2J |
    | mem\\_4 | 2026-11-22 12:26 | 15:00 | \\\\\\| c |
    | mem\\_5 | 2026-11-22 12:26 | 15:00 | 日本語 |
    "
  `);
  expect(markdownTable(listCells(memories, columnsOf(['audio_url', 'media'])))).not.toContain('media.test');
  for (const line of markdown.trimEnd().split('\n')) {
    expect(line.replace(/\\[\\|]/g, '').split('|')).toHaveLength(6);
  }
});
