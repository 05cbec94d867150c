import type { ListedMemory } from '@memory-read/client';
import { escapeMarkdown } from './escape-markdown.ts';
import { columnsOf, defaultColumns } from './list-columns.ts';
import type { ListField } from './list-fields.ts';

/** Formats memories as a table in Markdown. */
export function formatListMarkdown(memories: readonly ListedMemory[], fields?: readonly ListField[]): string {
  const columns = fields === undefined ? defaultColumns : columnsOf(fields);
  const rows = [
    columns.map(({ heading }) => toCell(heading)),
    columns.map(() => '---'),
    ...memories.map((memory) => columns.map((column) => toCell(column.toCell(memory)))),
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function toCell(text: string): string {
  return escapeMarkdown(text).replace(/(?<!\\)\|/g, '\\|');
}
