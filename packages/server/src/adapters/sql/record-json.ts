import type { StoredMemory } from '../../ports/memory-store.ts';
import { addedFields } from '../../records/record-fields.ts';

/** Values in columns of their own, beside the text of the record. */
type Columns = Pick<StoredMemory, 'user_id' | 'is_processing' | 'summaryJson'>;

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
export function fromRecordJson(recordJson: string, { user_id, is_processing, summaryJson }: Columns): StoredMemory {
  const memory: StoredMemory = JSON.parse(recordJson);
  for (const name of addedFields) (memory as { [Name in typeof name]?: unknown })[name] ??= null;
  memory.user_id = user_id;
  memory.is_processing = is_processing;
  memory.summaryJson = summaryJson;
  return memory;
}
