import type { Memory } from '@memory-read/client';

/** The part of a memory that names depend on. */
export type Spoken = Pick<Memory, 'transcript'>;

/**
 * Returns the digest of what each label says, by label in the order of the segments. It does not depend on the label,
 * unless two labels say the same at the same times.
 */
export function saidOf(_memory: Spoken): Map<string, string> {
  throw new Error('TODO');
}
