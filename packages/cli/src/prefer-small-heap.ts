import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 collect garbage early rather than let the heap grow.
 *
 * By default it would let it grow to a multiple of what is in use, nearly all of it rows that were sent long ago, and
 * the more so the busier the machine is. A start option would do the same, but who types `memory-read` passes none.
 */
export function preferSmallHeap(): void {
  setFlagsFromString('--optimize-for-size');
  // What is young in it is little: to share its collection out to threads costs more than to collect it.
  setFlagsFromString('--no-parallel-scavenge');
}
