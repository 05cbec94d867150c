import type { FileHandle } from 'node:fs/promises';
import { unlessRefused } from '@memory-read/contract/file-errors';

export async function closeFile(handle: FileHandle): Promise<void> {
  await unlessRefused(() => handle.close());
}
