import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage earlier instead of growing the heap.
 *
 * By default, the heap grows to a multiple of the memory in use. Most of it then holds rows that were already sent or
 * stored. Start options have the same effect, but users of `memory-read` do not pass any.
 */
export function preferSmallHeap(): void {
  // The space for new objects keeps its size. The space for old objects grows by 50 % at a time.
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=50']) setFlagsFromString(flag);
}
