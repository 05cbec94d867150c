/** What is wrong with one field of a record. */
export interface MemoryRecordIssue {
  /** Where it is, such as `transcript.segments[3].start_at`. */
  path: string;
  /** What is wrong, without the value. */
  message: string;
}

/** Rejects a record that no store can keep as it is. Nothing of its batch has been stored. */
export class InvalidMemoryRecordError extends Error {
  override readonly name = 'InvalidMemoryRecordError';
  readonly code = 'invalid_record';
  /** Everything that is wrong, never empty. */
  readonly issues: readonly MemoryRecordIssue[];

  constructor(memoryId: unknown, issues: readonly MemoryRecordIssue[]) {
    const reasons = issues.slice(0, 3).map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
    const more = issues.length > 3 ? ` and ${issues.length - 3} more` : '';
    const memory = typeof memoryId === 'string' ? `memory ${JSON.stringify(memoryId.slice(0, 300))}` : 'a memory';
    super(`Failed to store ${memory}: because ${reasons.join(', ')}${more}. Correct the record and store it again.`);
    this.issues = issues;
  }
}
