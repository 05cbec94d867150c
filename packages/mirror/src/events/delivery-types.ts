import type { EventOptions, MemoryEvent, MemoryEventType } from './event-types.ts';

/** A try to deliver an event. */
export interface SendContext {
  /** Number of the try of this event, from 1. */
  attempt: number;
  /** The event as JSON. It has the same bytes at each try. */
  body: string;
  /** Aborts 10 seconds after the signal of the caller. */
  signal: AbortSignal;
}

/**
 * Delivers an event. If it throws or rejects, the try has failed: see `DeliveryError`. It can use the mirror, but `close`
 * waits until it has ended.
 */
export type SendEvent = (event: MemoryEvent, context: SendContext) => unknown;

/** Options of `deliver`. */
export interface DeliverOptions extends EventOptions {
  /** Where a new sink begins: at the oldest event, or after the newest. Default: `start`. */
  from?: 'start' | 'now' | undefined;
  /** Number of tries that show that an event is at fault, after which it is parked, 1 to 1,000. Default: 20. */
  maxTries?: number | undefined;
  /** Milliseconds before the first retry, at least 1. Each further pause is twice as long. Default: 1,000. */
  firstRetry?: number | undefined;
  /** Longest pause of an event in milliseconds. Default: 300,000. */
  longestRetry?: number | undefined;
  /** Largest number of tries of this call. Default: no limit. */
  limit?: number | undefined;
  /** Called after each try, when its result is stored. Errors that it throws are ignored. Default: none. */
  onDelivery?(progress: DeliveryProgress): void;
  /** Ends the deliveries after the event in flight. Default: none. */
  signal?: AbortSignal | undefined;
}

/** Result of a try. */
export interface DeliveryProgress {
  type: 'delivered' | 'retrying' | 'parked' | 'stopped';
  event: MemoryEvent;
  /** Number of the try of this event, from 1. */
  attempt: number;
  /** Why the try failed. Absent if it did not. */
  error?: string;
  /** Earliest time of the next try. Absent unless the type is `retrying`. */
  retryAt?: Date;
}

/** Result of `deliver`. */
export interface DeliveryReport {
  /** Events that were delivered. */
  delivered: number;
  /** Tries that failed. */
  failed: number;
  /** Events that were parked. */
  parked: number;
  /** Events that still have to be delivered, without the parked ones. */
  pending: number;
  /** Earliest time of the next try. Null if nothing is pending, or the sink is stopped. */
  nextTry: Date | null;
  /** Why the sink is stopped. Null if it is not. */
  stopped: string | null;
}

/** A named reader of the events, and how far it is. */
export interface SinkState {
  sink: string;
  /** Events that were delivered since the sink exists. */
  delivered: number;
  /** Events that still have to be delivered, without the parked ones. */
  pending: number;
  /** Pending events that failed, or wait for an earlier event of their memory. */
  retrying: number;
  parked: number;
  /** Time of the oldest pending event. Null if nothing is pending. */
  oldestPending: Date | null;
  /** Time of the last delivery. Null if there was none. */
  lastDelivered: Date | null;
  /** Failed tries since the last delivery. */
  failures: number;
  /** Earliest time of the next try. Null if nothing is pending, or the sink is stopped. */
  nextTry: Date | null;
  /** Why the last try failed. Null if it did not. */
  error: string | null;
  /** Why the sink is stopped. Null if it is not. */
  stopped: string | null;
}

/** An event that a sink has set aside. */
export interface Delivery {
  eventId: string;
  type: MemoryEventType;
  memoryId: string;
  state: 'retrying' | 'parked';
  /** Failed tries. 0 if the event waits for an earlier event of its memory. */
  attempts: number;
  /** Why the last try failed. Null if there was none. */
  error: string | null;
  /** Time of the last try. Null if there was none. */
  failedAt: Date | null;
  /** Earliest time of the next try. Null if the event is parked or waits, or the sink is stopped. */
  nextTry: Date | null;
}
