import type { ListedMemory } from '@memory-read/client';
import { toMarkdown } from '@memory-read/client/transcript';
import { visibleLine } from '../terminal/visible-text.ts';
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

/** Escapes a text as a turn without a speaker, and what ends a cell. */
function toCell(text: string): string {
  const segment = { speaker: '', start_at: origin, end_at: origin, text: visibleLine(text) };
  const escaped = toMarkdown({ started_at: origin, transcript: { segments: [segment] } }, { speakerLabels: false });
  return escaped.trim().replace(/(?<!\\)\|/g, '\\|');
}

const origin = '1970-01-01T00:00:00Z';
