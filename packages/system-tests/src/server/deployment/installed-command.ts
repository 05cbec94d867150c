import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';

/** Path of the command in the units. */
export const installed = '/usr/local/bin/memory-read';

/** Writes a command that runs the built program, and returns its path. */
export function writeCommand(folder: string): string {
  const command = join(folder, 'memory-read');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'packages/cli/dist/main.js')}' "$@"\n`);
  chmodSync(command, 0o755);
  return command;
}
