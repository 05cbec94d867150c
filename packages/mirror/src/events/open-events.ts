import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { MirrorStorage } from '../database/open-database.ts';
import { deliverEvents } from './deliver-events.ts';
import { listEvents } from './list-events.ts';
import type { MirrorEvents } from './mirror-events.ts';

/** How the events use the mirror that they belong to. */
export interface EventsHost {
  storage: MirrorStorage;
  /** Returns the current time, in milliseconds since 1970. */
  now(): number;
  /** Runs work that reads. */
  read<Result>(action: string, work: (database: MirrorDatabase) => Result | Promise<Result>): Promise<Result>;
  /** Runs work that writes, without the lock of the writer. An abort rejects with the reason of the signal. */
  change<Result>(
    action: string,
    work: (database: MirrorDatabase) => Result | Promise<Result>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Result>;
}

/** Returns the events of a mirror. It checks what it is given. */
export function openEvents({ storage, now, read, change }: EventsHost): MirrorEvents {
  const missing = async () => {
    throw new Error('not yet');
  };
  return {
    events: (options = {}) => read('list the events', (database) => listEvents(database, options)),
    deliver: (sink, send, options = {}) =>
      change('deliver the events', () => deliverEvents({ ...storage, now }, sink, send, options), options),
    listSinks: missing,
    listDeliveries: missing,
    replay: missing,
    resumeSink: missing,
    removeSink: missing,
  };
}
