import type { StoredMemory } from '../ports/memory-store.ts';
import { type EncodedMemory, transcriptOf } from '../records/encoded-memory.ts';
import { addedFields, recordFields } from '../records/record-fields.ts';

/**
 * Returns the row if it is the requested one.
 *
 * A mistake of a store must never become a leak (section 5.5 of the specification). An example is a database that
 * compares ids without regard to case.
 */
export function requestedRow<Memory extends StoredMemory | EncodedMemory>(
  row: Memory,
  requested: { userId: string; memoryId?: string },
): Memory {
  if (row.user_id !== requested.userId) throw mistakeOfStore('a memory of another account', 'user_id');
  if (requested.memoryId !== undefined && row.id !== requested.memoryId) throw mistakeOfStore('another memory', 'id');
  const absent = fields.find((field) => row[field] === undefined);
  if (absent !== undefined) throw mistakeOfStore(`a memory without ${absent}`, absent);
  if (typeof row.media !== 'object' || row.media === null)
    throw mistakeOfStore('media that are not an object', 'media');
  assertJsonText(row.summaryJson, 'summaryJson');
  const transcript = requested.memoryId === undefined ? null : transcriptOf(row);
  if (!(transcript instanceof Uint8Array)) assertJsonText(transcript, 'transcriptJson');
  return row;
}

/** A driver that parses JSON columns would make the response contain "[object Object]". */
function assertJsonText(text: unknown, column: string): void {
  if (text === undefined) throw mistakeOfStore(`a memory without ${column}`, column);
  if (text === null || (typeof text === 'string' && text !== '')) return;
  throw mistakeOfStore(`a memory whose ${column} is neither JSON text nor null`, column);
}

// Section 2.1: every field is present. A field that was added later is null in older rows.
const fields = [
  ...recordFields.filter((name) => !addedFields.includes(name)),
  ...(['is_processing', 'media'] as const),
];

function mistakeOfStore(found: string, column: string): Error {
  return new Error(`Failed to read memories: the store returned ${found}. Check how the store selects ${column}.`);
}
