import type { DeliverOptions, Delivery, DeliveryReport, SendEvent, SinkState } from './delivery-types.ts';
import type { EventPage, EventsOptions } from './event-types.ts';

/** The events of a mirror, and their deliveries. */
export interface MirrorEvents {
  /**
   * Returns a page of the events, oldest first. The log has every change that a sync found.
   *
   * Store the cursor, and pass it as `after` to get the events that followed, now or next week. The same event has the
   * same id and content in each page. A memory that was purged has no events.
   *
   * @example
   * ```ts
   * const { events, cursor } = await mirror.events({ types: ['memory.processed'] });
   * for (const { type, data } of events) console.log(type, data.memory_id, data.memory?.name);
   * const later = await mirror.events({ after: cursor ?? undefined });
   * console.log(later.events.length);
   * ```
   *
   * @throws {@link MirrorError} with the code `invalid_option` if `after` is not an event of this mirror, such as after a
   * backup was put back.
   */
  events(options?: EventsOptions): Promise<EventPage>;
  /** Delivers the events of a sink that are due, one at a time, and then resolves. */
  deliver(sink: string, send: SendEvent, options?: DeliverOptions): Promise<DeliveryReport>;
  /** Returns the sinks, by name. */
  listSinks(): Promise<SinkState[]>;
  /** Returns the events that a sink has set aside, oldest first. */
  listDeliveries(sink: string, options?: { state?: 'retrying' | 'parked' | undefined }): Promise<Delivery[]>;
  /** Makes events due again that were delivered or parked: all of them or none. Returns their number. */
  replay(sink: string, eventIds: readonly string[]): Promise<number>;
  /** Ends a stop, and makes all due that waits. Returns whether there is such a sink. */
  resumeSink(sink: string): Promise<boolean>;
  /** Forgets a sink. Returns whether there was one. */
  removeSink(sink: string): Promise<boolean>;
}
