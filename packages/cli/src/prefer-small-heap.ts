import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 collect garbage rather than let the heap grow.
 *
 * By default it would let it grow to a multiple of what is in use, nearly all of it rows that were sent or stored long
 * ago. Start options would do the same, but who types `memory-read` passes none.
 */
export function preferSmallHeap(): void {
  // The room for new objects stays as it is now, and that for old ones grows by halves.
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=50']) setFlagsFromString(flag);
}
