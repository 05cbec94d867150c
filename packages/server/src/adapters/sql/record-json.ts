import type { StoredMemory } from '../../ports/memory-store.ts';
import { addedFields } from '../../records/record-fields.ts';

/** Returns the fields of the record and its media as one JSON text, in the order of the rows. */
export function toRecordJson(memory: StoredMemory): string {
  const {
    user_id: _,
    is_processing: _isProcessing,
    summaryJson: _summary,
    transcriptJson: _transcript,
    ...record
  } = memory;
  return JSON.stringify(record);
}

/** Returns a row as a memory without its transcript. A field that was added later is null in older rows. */
export function toListedMemory(row: Record<string, unknown>): StoredMemory {
  const memory: StoredMemory = JSON.parse(row.record_json as string);
  for (const name of addedFields) (memory as { [Name in typeof name]?: unknown })[name] ??= null;
  memory.user_id = row.user_id as string;
  // SQLite has no booleans, and those of PostgreSQL are read as text.
  memory.is_processing = row.is_processing === 1 || row.is_processing === 'true';
  memory.summaryJson = row.summary_json as string | null;
  return memory;
}
