import type { ListedMemory } from '@memory-read/client';
import { formatDateTime, formatLength } from '../terminal/format-date-time.ts';
import { fieldOf, type ListField } from './list-fields.ts';

/** A column of the table of `list`. */
export interface ListColumn {
  heading: string;
  field: ListField;
  toCell: (memory: ListedMemory) => string;
}

/** Columns without `--fields`. The name is the last one, because right-to-left text would reorder other columns. */
export const defaultColumns: readonly ListColumn[] = [
  { heading: 'ID', field: 'id', toCell: ({ id }) => id },
  { heading: 'STARTED', field: 'started_at', toCell: ({ started_at }) => formatDateTime(started_at) },
  {
    heading: 'LENGTH',
    field: 'duration_seconds',
    toCell: ({ is_processing, duration_seconds }) => (is_processing ? 'processing' : formatLength(duration_seconds)),
  },
  { heading: 'NAME', field: 'name', toCell: ({ name }) => name },
];

/** Returns the columns of `--fields`. They contain no media URL. */
export function columnsOf(fields: readonly ListField[]): ListColumn[] {
  return fields.map((field) => ({ heading: field.toUpperCase(), field, toCell: (memory) => toCell(field, memory) }));
}

/** Returns the rows of a table of memories, with the heading. */
export function listCells(
  memories: readonly ListedMemory[],
  columns: readonly ListColumn[] = defaultColumns,
): string[][] {
  return [
    columns.map(({ heading }) => heading),
    ...memories.map((memory) => columns.map((column) => column.toCell(memory))),
  ];
}

function toCell(field: ListField, memory: ListedMemory): string {
  if (field === 'summary') return memory.summary?.quick_summary ?? '';
  const value = fieldOf(memory, field);
  if (field.endsWith('_at')) return formatDateTime(String(value));
  if (field === 'duration_seconds') return formatLength(Number(value));
  if (field.endsWith('_url')) return value === null ? 'no' : 'yes';
  if (field === 'is_processing') return value ? 'yes' : 'no';
  return [value].flat().join(', ');
}
