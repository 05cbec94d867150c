import { createHash } from 'node:crypto';
import type { MemoryChange, WatchState } from '@memory-read/client';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { quantity } from '../terminal/quantity.ts';
import { readStateFile, type StoredState, writeStateFile } from './state-file.ts';

/** The state of a watch: where it resumes, and how it is saved. */
export interface OpenedWatchState {
  /** The state of an earlier watch; undefined for a new one. */
  readonly resumed: WatchState | undefined;
  /** @throws CommandError if the first poll finds an empty list and the state holds memories. */
  checkFirstPoll(changes: readonly MemoryChange[]): void;
  save(state: WatchState): void;
}

interface StateOptions {
  state?: string | undefined;
  allowEmpty?: boolean | undefined;
}

/**
 * Opens the state file, which belongs to one base URL and account. Without a path, no state is saved.
 *
 * @throws CommandError for a state of another base URL, before anything is sent.
 */
export function openWatchState({ state: path, allowEmpty }: StateOptions, baseUrl: string): OpenedWatchState {
  if (path === undefined) return { resumed: undefined, checkFirstPoll() {}, save() {} };
  const resumed = readStateFile(path);
  const baseUrlDigest = createHash('sha256').update(baseUrl).digest('base64url').slice(0, 22);
  if (resumed?.baseUrl !== undefined && resumed.baseUrl !== baseUrlDigest) {
    throw resumeError('the state belongs to another server. Pass the old --base-url, or another --state.');
  }
  return {
    resumed,
    checkFirstPoll(changes) {
      if (resumed && !allowEmpty) assertNotEmptied(resumed, changes);
    },
    save: (reached) => writeStateFile(path, { ...reached, baseUrl: baseUrlDigest }),
  };
}

/** An empty list does not show its account, so the key can belong to another account. */
function assertNotEmptied({ memories }: StoredState, changes: readonly MemoryChange[]): void {
  const present = memories.filter(([, fingerprint]) => fingerprint !== missingFingerprint).length;
  if (changes.length < present || changes.some(({ type }) => type !== 'missing')) return;
  throw resumeError(
    `the list is empty, but the state has ${quantity(present, 'memory', 'memories')}; the key may belong to another account. Check the key, or pass --allow-empty if all were deleted.`,
  );
}

/** Fingerprint of a memory that was reported as missing. */
const missingFingerprint = '-';

function resumeError(reason: string): CommandError {
  return new CommandError(exitCodes.usage, `Failed to resume the watch: ${reason}`);
}
