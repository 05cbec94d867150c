import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Position } from './memory-source.ts';

/** More would make a cursor, and so a result, too long. */
const MOST = 100;
const DIGITS = 8;

/** Memories that a search has shown for their title or summary. */
export interface ShownHits {
  /** Whether there were too many to list them. */
  readonly isFull: boolean;
  has(id: string): boolean;
  add(id: string): void;
  /** Returns the second part of a position; null if there were too many. */
  toText(): string | null;
}

/** Reads the second part of a position. */
export function readShownHits(position: Position | undefined): ShownHits {
  const text = position?.[1] ?? '';
  const marks = new Set(String(text).match(new RegExp(`[\\da-f]{${DIGITS}}`, 'g')));
  const wasFull = position !== undefined && position[1] === null;
  const isFull = () => wasFull || marks.size > MOST;
  return {
    get isFull() {
      return isFull();
    },
    has: (id) => marks.has(markOf(id)),
    add: (id) => void marks.add(markOf(id)),
    toText: () => (isFull() ? null : [...marks].join('')),
  };
}

function markOf(id: string): string {
  const bytes = sha256(utf8ToBytes(id)).slice(0, DIGITS / 2);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
