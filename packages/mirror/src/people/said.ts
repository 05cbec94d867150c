import { hash } from 'node:crypto';
import type { Memory } from '@memory-read/client';
import { storedSegments } from '@memory-read/client/transcript';
import { parseDateTime } from '@memory-read/contract/date-time';

/** The part of a memory that names depend on. */
export type Spoken = Pick<Memory, 'transcript'>;

/**
 * Returns the digest of what each label says, by label in the order of the segments. It does not depend on the label,
 * unless two labels say the same at the same times.
 */
export function saidOf(memory: Spoken): Map<string, string> {
  const rowsOf = new Map<string, unknown[]>();
  for (const { speaker, start_at, end_at, text } of storedSegments(memory)) {
    const rows = rowsOf.get(speaker) ?? [];
    if (rows.length === 0) rowsOf.set(speaker, rows);
    rows.push([parseDateTime(start_at) ?? start_at, parseDateTime(end_at) ?? end_at, text]);
  }
  const said = new Map(Array.from(rowsOf, ([label, rows]) => [label, digestOf(rows)]));
  const counts = new Map<string, number>();
  for (const digest of said.values()) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  for (const [label, digest] of said) {
    if (counts.get(digest) !== 1) said.set(label, digestOf([label, rowsOf.get(label)]));
  }
  return said;
}

function digestOf(value: unknown): string {
  return `sha256-${hash('sha256', JSON.stringify(value), 'base64url')}`;
}
