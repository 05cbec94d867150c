import { normalizeDateTime } from '@memory-read/contract/date-time';
import { assertParts } from '../assert-options.ts';

/**
 * Compares two memories by the order of a list: newest `started_at` first, then by id, descending by UTF-8 bytes.
 *
 * A store that sorts with it lists like all others. See section 4.1.2 of the specification.
 */
export function compareMemories(a: { started_at: string; id: string }, b: { started_at: string; id: string }): number {
  // A sort compares often, so the names of what is missing are searched only if something is.
  if (!isComparable(a) || !isComparable(b)) assertParts('compare memories', { a, b }, partsOfBoth, 'Pass two memories');
  if (a.started_at === b.started_at) return compareUtf8(b.id, a.id);
  const startOfA = normalizeDateTime(a.started_at) ?? a.started_at;
  const startOfB = normalizeDateTime(b.started_at) ?? b.started_at;
  if (startOfA === startOfB) return compareUtf8(b.id, a.id);
  return startOfA < startOfB ? 1 : -1;
}

const partsOfBoth = { 'a.started_at': 'string', 'a.id': 'string', 'b.started_at': 'string', 'b.id': 'string' } as const;

function isComparable(memory: { started_at: string; id: string }): boolean {
  return typeof memory?.started_at === 'string' && typeof memory.id === 'string';
}

/** Compares by UTF-8 bytes without encoding: only surrogates sort differently as UTF-16 units. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const unitOfA = a.charCodeAt(index);
    const unitOfB = b.charCodeAt(index);
    if (unitOfA !== unitOfB) return utf8Rank(unitOfA) - utf8Rank(unitOfB);
  }
  return a.length - b.length;
}

function utf8Rank(unit: number): number {
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  return isSurrogate ? unit + 0x10000 : unit;
}
