import type { FileHandle } from 'node:fs/promises';
import { refusalCode } from '@memory-read/contract/file-errors';

/** Runs a step that a complete file can do without. Returns undefined where the step is refused. */
export async function unlessRefused<Value>(step: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await step();
  } catch (error) {
    if (refusalCode(error) === undefined) throw error;
    return undefined;
  }
}

export async function closeFile(handle: FileHandle): Promise<void> {
  await unlessRefused(() => handle.close());
}
