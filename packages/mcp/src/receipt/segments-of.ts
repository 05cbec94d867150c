import type { Memory, Segment } from '@memory-read/client';

/**
 * Returns the segments of a memory, in the stored order. In a response that was not validated, parts can be missing.
 */
export function segmentsOf(memory: Memory): readonly Segment[] {
  const segments: unknown = memory.transcript?.segments;
  return Array.isArray(segments) ? segments : [];
}

/** Returns a text of a segment, or an empty text for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
