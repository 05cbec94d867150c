import type { ListedMemory } from '@memory-read/contract';
import { factsOf } from '../response-info.ts';
import { digest } from './digest.ts';
import { type Fingerprint, unread } from './fingerprint.ts';
import { type ChangeStep, findChanges } from './memory-changes.ts';
import { readWatchState, refuseState, type WatchState } from './watch-state.ts';

/** The position of a watch: the fingerprints of the memories that it has reported. */
export class WatchCursor {
  /** Whether the memories of the first successful poll are not reported. */
  skipsInitial: boolean;
  readonly #baseUrl: string;
  readonly #fingerprints: Map<string, Fingerprint>;
  #account: string | null;
  #snapshot: WatchState | undefined;

  /**
   * Reads the state.
   *
   * @throws a {@link ConfigurationError} if the state is invalid.
   */
  constructor(state: WatchState, baseUrl: string) {
    const { account, memories, initial } = readWatchState(state);
    this.#account = account;
    this.skipsInitial = initial === 'skip';
    this.#fingerprints = new Map(memories);
    this.#baseUrl = baseUrl;
  }

  /** Takes the memories of the first successful poll as known. */
  skip(list: readonly ListedMemory[]): void {
    for (const step of this.compare(list)) this.commit(step);
    for (const { memoryId } of factsOf(list)?.items ?? [])
      if (memoryId !== undefined) this.#fingerprints.set(memoryId, unread);
    this.skipsInitial = false;
    this.#snapshot = undefined;
  }

  /** Returns the changes that a list shows, oldest memories first. */
  compare(list: readonly ListedMemory[]): ChangeStep[] {
    const owner = list.find((memory) => typeof memory?.user_id === 'string')?.user_id;
    if (owner !== undefined) this.#checkAccount(digest(JSON.stringify([this.#baseUrl, owner])));
    const steps = findChanges(this.#fingerprints, list);
    // A step without fields only brings the new form of a stored fingerprint.
    return steps.filter((step) => !('fields' in step.change) || step.change.fields[0] || this.commit(step));
  }

  /** Records that a change was handled. */
  commit({ memoryId, fingerprint }: ChangeStep): void {
    if (fingerprint === undefined) this.#fingerprints.delete(memoryId);
    else this.#fingerprints.set(memoryId, fingerprint);
    this.#snapshot = undefined;
  }

  /** The state, created on demand: a poll with many changes must not copy all memories for each of them. */
  get state(): WatchState {
    const initial = this.skipsInitial && ({ initial: 'skip' } as const);
    this.#snapshot ??= { version: 1, account: this.#account, ...initial, memories: [...this.#fingerprints] };
    return this.#snapshot;
  }

  #checkAccount(account: string): void {
    this.#account ??= account;
    if (this.#account !== account) {
      throw refuseState('belongs to another account or base URL', 'Resume it with its own API key and base URL');
    }
  }
}
