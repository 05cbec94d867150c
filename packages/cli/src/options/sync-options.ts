import type { Command } from 'commander';
import { parseCount } from './parse-count.ts';

/** Options of a command that syncs a mirror. */
export interface SyncOptions {
  /** Number of memories at a time. Default: 4. */
  concurrency?: number | undefined;
  dryRun?: boolean | undefined;
  adopt?: boolean | undefined;
}

export function addSyncOptions(command: Command): Command {
  return command
    .option('--concurrency <number>', 'memories at a time (default: 4)', parseCount('--concurrency', 16))
    .option('--dry-run', 'send one request, print what would be saved, and write nothing')
    .option('--adopt', 'use a folder of a server with a new address, or one that lost its mark')
    .option(
      '--media-origin <origin...>',
      'only these origins of media, such as http://10.0.0.5:9000; private ones too',
    );
}
