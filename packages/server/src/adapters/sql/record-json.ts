import type { StoredMemory } from '../../ports/memory-store.ts';
import { addedFields } from '../../records/record-fields.ts';

/** What a table keeps in columns of their own, beside the text of the record. */
type Columns = Pick<StoredMemory, 'user_id' | 'is_processing' | 'summaryJson'>;

/** The fields that come from the record, and its media, as one JSON text in the order of the rows. */
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

/** A row as a memory without its transcript. What was stored before a field was added reads as null. */
export function fromRecordJson(recordJson: string, { user_id, is_processing, summaryJson }: Columns): StoredMemory {
  const memory: StoredMemory = JSON.parse(recordJson);
  for (const name of addedFields) (memory as { [Name in typeof name]?: unknown })[name] ??= null;
  memory.user_id = user_id;
  memory.is_processing = is_processing;
  memory.summaryJson = summaryJson;
  return memory;
}
