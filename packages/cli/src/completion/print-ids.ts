import { listIds } from '@memory-read/mirror/ids';
import { mirrorFolder } from '../mirror/find-mirror.ts';
import type { CliProcess } from '../terminal/cli-process.ts';

/**
 * Prints ids of the mirror that begin with a text, a line each: memories that are on the server first, newest first.
 *
 * Prints nothing without a mirror, and no id that a shell would have to quote.
 */
export function printIds(process: CliProcess, prefix = ''): void {
  for (const id of findIds(process, prefix)) process.stdout.write(`${id}\n`);
}

function findIds(process: CliProcess, prefix: string): string[] {
  try {
    return listIds(mirrorFolder(process, undefined), { prefix, limit: 100 });
  } catch {
    // A message would disturb the line that the user types.
    return [];
  }
}
