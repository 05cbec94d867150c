import { setFlagsFromString } from 'node:v8';

/** As `memory-read serve` and `memory-read import` do, for both sides: compared is what they do, not how the heap grows. */
export function preferSmallHeap(): void {
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=50']) setFlagsFromString(flag);
}
