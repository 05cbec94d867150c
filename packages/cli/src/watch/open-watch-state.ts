import { createHash } from 'node:crypto';
import type { MemoryChange, WatchState } from '@memory-read/client';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { quantity } from '../terminal/quantity.ts';
import { readStateFile, type StoredState, writeStateFile } from './state-file.ts';

/** Where a watch begins, and how it keeps where it stands. */
export interface OpenedWatchState {
  /** What an earlier watch left, if one did. */
  readonly begun: WatchState | undefined;
  /** @throws CommandError where the first look at the list found nothing, and the state says that there was something. */
  checkFirstLook(changes: readonly MemoryChange[]): void;
  save(state: WatchState): void;
}

interface StateOptions {
  state?: string | undefined;
  allowEmpty?: boolean | undefined;
}

/**
 * The state of a file, which belongs to one base URL and account; without a path, none is kept.
 *
 * @throws CommandError for a state of another base URL, before anything is sent.
 */
export function openWatchState({ state: path, allowEmpty }: StateOptions, baseUrl: string): OpenedWatchState {
  if (path === undefined) return { begun: undefined, checkFirstLook() {}, save() {} };
  const begun = readStateFile(path);
  const ownUrl = digestOfUrl(baseUrl);
  if (begun?.baseUrl !== undefined && begun.baseUrl !== ownUrl) {
    throw refuse(
      'its state is that of another base URL. Resume it with the base URL of then, or pass another --state.',
    );
  }
  return {
    begun,
    checkFirstLook(changes) {
      if (begun && !allowEmpty) refuseEmptyList(begun, changes);
    },
    save: (reached) => writeStateFile(path, { ...reached, baseUrl: ownUrl }),
  };
}

/** An empty list names no account: it may be that of another one, whose key was passed by mistake. */
function refuseEmptyList({ memories }: StoredState, changes: readonly MemoryChange[]): void {
  const present = memories.filter(([, fingerprint]) => fingerprint !== missingFingerprint).length;
  if (changes.length < present || changes.some(({ type }) => type !== 'missing')) return;
  throw refuse(
    `the list is empty, and its state has ${quantity(present, 'memory', 'memories')}: the key may be that of another account. Check the key, or pass --allow-empty if they are all deleted.`,
  );
}

/** What a state has for a memory whose absence was told. */
const missingFingerprint = '-';

/** As the client sends to it, so that writing it in another way makes no difference. */
function digestOfUrl(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return createHash('sha256')
    .update(origin + pathname.replace(/\/+$/, ''))
    .digest('base64url')
    .slice(0, 22);
}

function refuse(reason: string): CommandError {
  return new CommandError(exitCodes.usage, `Failed to resume the watch: because ${reason}`);
}
