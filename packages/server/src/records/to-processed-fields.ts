import { type Summary, summarySchema, type Transcript, transcriptSchema } from '@memory-read/contract';
import type { StoredMemory } from '../ports/memory-store.ts';
import { InvalidMemoryRecordError } from './invalid-memory-record-error.ts';
import { schemaIssues, transcriptIssues } from './memory-record-issues.ts';
import { withPlainResult } from './plain-result.ts';
import { toStoredResult } from './to-stored-memory.ts';

/**
 * Returns the fields of a stored memory that change when its processing ends. See section 3 of the specification.
 *
 * @throws {@link InvalidMemoryRecordError} if a field cannot be stored. It names all such fields.
 */
export function toProcessedFields(
  memoryId: string,
  result: { transcript: Transcript | null; summary: Summary | null },
): Pick<StoredMemory, 'is_processing' | 'transcriptJson' | 'summaryJson'> {
  const { transcript, summary } = withPlainResult({ id: memoryId, ...result });
  const misshapen = [
    ...(transcript === null ? [] : schemaIssues(transcriptSchema, transcript, ['transcript'])),
    ...(summary === null ? [] : schemaIssues(summarySchema, summary, ['summary'])),
  ];
  const issues = misshapen.length > 0 ? misshapen : transcriptIssues(transcript);
  if (issues.length > 0) throw new InvalidMemoryRecordError(memoryId, issues);
  return { is_processing: false, ...toStoredResult({ transcript, summary }) };
}
