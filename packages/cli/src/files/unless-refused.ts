import { refusalCode } from '@memory-read/contract/file-errors';

/** Runs a step that a complete file can do without, such as `chmod` or `fsync`, unless the disk or the runtime refuses it. */
export function unlessRefused(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (refusalCode(error) === undefined) throw error;
  }
}
