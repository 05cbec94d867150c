import type { ListedMemory } from '@memory-read/client';
import { formatDateTime, formatLength } from './format-date-time.ts';
import { formatTable } from './format-table.ts';

const heading = ['ID', 'STARTED', 'LENGTH', 'NAME'];

/** Formats memories as a table. The name is the last column, because right-to-left text would reorder other columns. */
export function formatMemoryList(memories: readonly ListedMemory[], width: number): string {
  return formatTable([heading, ...memories.map(toCells)], width);
}

function toCells({ id, started_at, duration_seconds, is_processing, name }: ListedMemory): string[] {
  return [id, formatDateTime(started_at), is_processing ? 'processing' : formatLength(duration_seconds), name];
}
