import { ConfigurationError } from '../errors/configuration-error.ts';
import { isObject } from '../validation/shape.ts';
import { fingerprintPattern } from './fingerprint.ts';

/**
 * Where a watch stands: plain JSON, some 75 bytes a memory beside its id.
 *
 * It holds ids and digests, no text and no URL. Memories that were processed and are missing stay in it, so that their
 * processing is not told again when they return.
 */
export interface WatchState {
  /** Version of this format. */
  readonly version: 1;
  /** Digest of the account and the base URL; null until a list held a memory. */
  readonly account: string | null;
  /** Only where no look has succeeded yet, and what is there at the first is to be left out. */
  readonly initial?: 'skip' | undefined;
  /** Each memory's id and fingerprint. */
  readonly memories: readonly (readonly [memoryId: string, fingerprint: string])[];
}

/** The state before the first look. */
export function createWatchState(initial: 'emit' | 'skip' = 'emit'): WatchState {
  return { version: 1, account: null, ...(initial === 'skip' && { initial }), memories: [] };
}

/** @throws {ConfigurationError} for what is no state, or one of a later version. */
export function readWatchState(state: WatchState): WatchState {
  const { version, account, initial, memories }: { [Key in keyof WatchState]?: unknown } = isObject(state) ? state : {};
  if (typeof version === 'number' && version > 1) {
    throw refuseState(`has version ${version}, which is not supported`, 'Update this package');
  }
  const isAccount = account === null || typeof account === 'string';
  const isInitial = initial === undefined || initial === 'skip';
  if (version !== 1 || !isAccount || !isInitial || !Array.isArray(memories) || !memories.every(isEntry)) {
    throw refuseState('is not the state of a watch', 'Pass the state unchanged');
  }
  return { version, account, initial, memories };
}

export function refuseState(problem: string, remedy: string): ConfigurationError {
  return new ConfigurationError(
    `Failed to resume the watch: its state ${problem}. ${remedy}, or start without a state.`,
  );
}

function isEntry(entry: unknown): entry is readonly [string, string] {
  const [memoryId, fingerprint]: unknown[] = Array.isArray(entry) ? entry : [];
  return typeof memoryId === 'string' && typeof fingerprint === 'string' && fingerprintPattern.test(fingerprint);
}
