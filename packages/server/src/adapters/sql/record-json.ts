import type { StoredMemory } from '../../ports/memory-store.ts';

/** What a row keeps in columns of its own, beside the text of its record. */
type OwnColumns = Pick<StoredMemory, 'user_id' | 'is_processing' | 'summaryJson'>;

/** The fields that come from the record, and its media, as one JSON text. */
export function toRecordJson(memory: StoredMemory): string {
  const { id, name, started_at, ended_at, duration_seconds, media } = memory;
  return JSON.stringify({ id, name, started_at, ended_at, duration_seconds, media });
}

/** A row as a memory without its transcript. */
export function fromRecordJson(recordJson: string, columns: OwnColumns): StoredMemory {
  const memory: StoredMemory = JSON.parse(recordJson);
  memory.user_id = columns.user_id;
  memory.is_processing = columns.is_processing;
  memory.summaryJson = columns.summaryJson;
  return memory;
}
