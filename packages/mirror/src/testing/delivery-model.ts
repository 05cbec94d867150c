import type { DeliveryAction, MemoryEvent } from '../index.ts';

/** What a receiver answers to a try. */
export type Outcome = 'accept' | DeliveryAction;

/** An event, and what the receiver has seen of it since it was replayed last. */
export interface ModelEvent {
  event: MemoryEvent;
  state: 'pending' | 'accepted' | 'parked';
  attempts: number;
  counted: number;
  lastCounts: boolean;
  /** Number of accepted tries of the sink at the first and at the last failed try. */
  acceptedBefore: { first: number; last: number };
}

/** Deliveries to one sink, as the rules say, without pauses. All events are in memory, in the order of the log. */
export class DeliveryModel {
  events: ModelEvent[] = [];
  accepted = 0;
  isStopped = false;
  readonly #maxTries: number;

  constructor(maxTries: number) {
    this.#maxTries = maxTries;
  }

  add(log: readonly MemoryEvent[]): void {
    const known = new Set(this.events.map(({ event }) => event.id));
    for (const event of log) if (!known.has(event.id)) this.events.push(untried(event));
  }

  pending(): ModelEvent[] {
    return this.events.filter(({ state }) => state === 'pending');
  }

  /** Events that no earlier event of their memory holds back. */
  free(): ModelEvent[] {
    const memories = new Set<string>();
    return this.pending().filter(({ event: { data } }) => {
      const isFree = !memories.has(data.memory_id);
      memories.add(data.memory_id);
      return isFree;
    });
  }

  /** Returns the type of the progress that follows. */
  end(item: ModelEvent, outcome: Outcome): string {
    if (outcome === 'accept') {
      this.accepted += 1;
      Object.assign(item, { ...untried(item.event), state: 'accepted' });
      return 'delivered';
    }
    const { attempts, acceptedBefore } = item;
    const since = outcome === 'retry' ? acceptedBefore.first : acceptedBefore.last;
    const canCount = outcome === 'unavailable' || (outcome === 'retry' && !this.#othersFail(item));
    item.lastCounts = attempts > 0 && canCount && this.accepted > since;
    item.counted += Number(item.lastCounts);
    item.attempts += 1;
    item.acceptedBefore = { first: attempts === 0 ? this.accepted : acceptedBefore.first, last: this.accepted };
    this.isStopped = outcome === 'stop';
    if (outcome === 'stop') return 'stopped';
    if (outcome !== 'park' && item.counted < this.#maxTries) return 'retrying';
    item.state = 'parked';
    return 'parked';
  }

  #othersFail(item: ModelEvent): boolean {
    return this.pending().some(
      (other) =>
        other !== item && other.attempts > 0 && !other.lastCounts && other.acceptedBefore.last === this.accepted,
    );
  }

  /** Returns the least number of events that a replay makes due. */
  replay(items: readonly ModelEvent[]): number {
    const ended = items.filter(({ state, attempts }) => state !== 'pending' || attempts > 0).length;
    for (const item of items) Object.assign(item, untried(item.event));
    return ended;
  }

  purge(memoryId: string): void {
    this.events = this.events.filter(({ event }) => event.data.memory_id !== memoryId);
  }
}

function untried(event: MemoryEvent): ModelEvent {
  const tries = { attempts: 0, counted: 0, lastCounts: false, acceptedBefore: { first: 0, last: 0 } };
  return { event, state: 'pending', ...tries };
}
