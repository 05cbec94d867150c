import { assertParts } from '../assert-options.ts';

/** A problem with one field of a record. */
export interface MemoryRecordIssue {
  /** Path of the field, such as `transcript.segments[3].start_at`. */
  path: string;
  /** Description of the problem, without the value. */
  message: string;
}

/** Thrown when a record cannot be stored. Nothing of its batch has been stored. */
export class InvalidMemoryRecordError extends Error {
  override readonly name = 'InvalidMemoryRecordError';
  /** Stable name of the error. */
  readonly code = 'invalid_record';
  /** All problems of the record. There is at least one. */
  readonly issues: readonly MemoryRecordIssue[];

  /** Creates the error from the id of the memory and its problems. */
  constructor(memoryId: unknown, issues: readonly MemoryRecordIssue[]) {
    assertParts('create the error of a record', { issues }, { issues: 'array' }, 'Pass the id and the issues');
    const reasons = issues.slice(0, 3).map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
    const more = issues.length > 3 ? ` and ${issues.length - 3} more` : '';
    const memory = typeof memoryId === 'string' ? `memory ${JSON.stringify(memoryId.slice(0, 300))}` : 'a memory';
    super(`Failed to store ${memory}: ${reasons.join(', ')}${more}. Correct the record and store it again.`);
    this.issues = issues;
  }
}
