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
  /**
   * Delivers the events of a sink that are due, one at a time, and then resolves. A name that is new adds a sink.
   *
   * If `send` throws, the event is set aside, and later events of its memory wait for it. Call `deliver` again at
   * `nextTry`. After a crash, the event in flight is sent again with the same id and body.
   *
   * @example
   * ```ts
   * const report = await mirror.deliver('console', ({ type, data }) => console.log(type, data.memory?.name), {
   *   types: ['memory.processed'],
   * });
   * if (report.nextTry !== null) console.log(`The next try is at ${report.nextTry.toISOString()}.`);
   * ```
   *
   * @throws {@link MirrorError} with the code `busy` if another process delivers to this sink.
   */
  deliver(sink: string, send: SendEvent, options?: DeliverOptions): Promise<DeliveryReport>;
  /**
   * Returns the sinks, by name. Events of all types are pending, because a sink does not store its types.
   *
   * @example
   * ```ts
   * for (const { sink, pending, error } of await mirror.listSinks()) console.log(sink, pending, error);
   * ```
   */
  listSinks(): Promise<SinkState[]>;
  /**
   * Returns the events that a sink has set aside, oldest first.
   *
   * @throws {@link MirrorError} with the code `not_found` if there is no such sink.
   */
  listDeliveries(sink: string, options?: { state?: 'retrying' | 'parked' | undefined }): Promise<Delivery[]>;
  /**
   * Makes events due again that were delivered or parked: all of them or none. Returns their number. A receiver that drops
   * repeated ids drops them.
   *
   * @example
   * ```ts
   * const parked = await mirror.listDeliveries('notes', { state: 'parked' });
   * for (const { memoryId, error } of parked) console.log(memoryId, error);
   * const ids = parked.map(({ eventId }) => eventId);
   * console.log(await mirror.replay('notes', ids));
   * ```
   *
   * @throws {@link MirrorError} with the code `not_found` if there is no such sink or event.
   */
  replay(sink: string, eventIds: readonly string[]): Promise<number>;
  /** Ends a stop, and makes all due that waits. Returns whether there is such a sink. */
  resumeSink(sink: string): Promise<boolean>;
  /** Removes a sink. A new sink with its name begins again. Returns whether there was one. */
  removeSink(sink: string): Promise<boolean>;
}
