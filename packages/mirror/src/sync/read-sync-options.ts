import type { MediaKind, MemoryClient } from '@memory-read/client';
import type { TimeRange } from '@memory-read/client/search';
import {
  checkOptions,
  invalidOption,
  readCallback,
  readCount,
  readFlag,
  readKinds,
  readRange,
  readSignal,
} from '../options/check-options.ts';
import type { SyncOptions, SyncProgress } from './sync-types.ts';

/** Options of a sync with their defaults. */
export interface SyncSettings {
  media: readonly MediaKind[];
  range: TimeRange;
  purgesMissing: boolean;
  allowEmpty: boolean | 'never';
  recheck: number;
  adopt: boolean;
  concurrency: number;
  dryRun: boolean;
  report: (event: SyncProgress) => void;
  signal: AbortSignal | undefined;
}

const action = 'sync the mirror';
const names: readonly (keyof SyncOptions)[] = [
  'media',
  'since',
  'until',
  'timeZone',
  'missing',
  'allowEmpty',
  'recheck',
  'adopt',
  'concurrency',
  'dryRun',
  'onProgress',
  'signal',
];

/** @throws {@link MirrorError} with the code `invalid_option` if the value is not a client. */
export function assertClient(action: string, client: unknown): void {
  if (typeof (client as MemoryClient | undefined)?.listMemories === 'function') return;
  throw invalidOption(action, 'client is not a MemoryClient', 'Pass the client to read with');
}

/** @throws {@link MirrorError} with the code `invalid_option` if the client or an option is invalid. */
export function readSyncOptions(client: unknown, options: SyncOptions): SyncSettings {
  assertClient(action, client);
  checkOptions(action, options, names);
  const { missing = 'keep' } = options;
  if (missing !== 'keep' && missing !== 'purge') {
    throw invalidOption(action, 'missing is not supported', "Use 'keep' or 'purge'");
  }
  return {
    media: readKinds(action, options.media),
    range: readRange(action, options),
    purgesMissing: missing === 'purge',
    allowEmpty: readAllowEmpty(action, options.allowEmpty),
    recheck: readCount(action, 'recheck', options.recheck, { min: 0, max: 10_000, default: 0 }),
    adopt: readFlag(action, 'adopt', options.adopt),
    concurrency: readCount(action, 'concurrency', options.concurrency, { min: 1, max: 16, default: 4 }),
    dryRun: readFlag(action, 'dryRun', options.dryRun),
    report: readCallback(action, 'onProgress', options.onProgress),
    signal: readSignal(action, options.signal),
  };
}

function readAllowEmpty(action: string, value: unknown = false): SyncSettings['allowEmpty'] {
  if (typeof value === 'boolean' || value === 'never') return value;
  throw invalidOption(action, 'allowEmpty is not supported', "Use true, false or 'never'");
}
