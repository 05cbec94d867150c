import { ConfigurationError } from '../errors/errors.ts';
import { isObject } from '../validation/shape.ts';
import { fingerprintPattern } from './fingerprint.ts';

/**
 * Position of a watch: plain JSON of about 75 bytes for each memory, plus its id.
 *
 * It holds ids and digests, but no text and no URL. A processed memory stays in the state while it is missing, so that
 * its processing is not reported again when it returns.
 */
export interface WatchState {
  /** Version of this format. */
  readonly version: 1;
  /** Digest of the account and the base URL; null before a list held a memory. */
  readonly account: string | null;
  /** Set to `skip` if no poll has succeeded yet and existing memories will not be reported. */
  readonly initial?: 'skip' | undefined;
  /** Id and fingerprint of each memory. */
  readonly memories: readonly (readonly [memoryId: string, fingerprint: string])[];
}

/** Returns the state before the first poll. */
export function createWatchState(initial: 'emit' | 'skip' = 'emit'): WatchState {
  return { version: 1, account: null, ...(initial === 'skip' && { initial }), memories: [] };
}

/**
 * Returns a checked state.
 *
 * @throws a {@link ConfigurationError} if the state is invalid or has a later version.
 */
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
