import { assertVersion } from '../database/assert-version.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { MirrorStorage } from '../database/open-database.ts';
import { WriterLock } from '../database/writer-lock.ts';
import { removeSink, replayEvents, resumeSink } from './change-sinks.ts';
import { deliverEvents } from './deliver-events.ts';
import { LOG_VERSION } from './event-log.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listEvents } from './list-events.ts';
import { listSinks } from './list-sinks.ts';
import type { MirrorEvents } from './mirror-events.ts';
import { checkSink, readDeliverOptions, readIds, readState } from './read-deliver-options.ts';

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
  /** Runs work that no other process does for this sink. */
  const alone = async <Result>(action: string, sink: string, work: () => Result | Promise<Result>): Promise<Result> => {
    const lock = WriterLock.take(storage.folder, action, storage.hardening, {
      file: `sink-${sink}.lock`,
      holder: `another process is delivering to the sink ${sink}`,
    });
    try {
      return await work();
    } finally {
      lock.release();
    }
  };
  return {
    events: (options = {}) => read('list the events', (database) => listEvents(database, options)),
    deliver: (sink, send, options = {}) => {
      const action = 'deliver the events';
      return change(
        action,
        (database) => {
          checkSink(action, sink);
          const settings = { ...readDeliverOptions(action, send, options), now };
          return alone(action, sink, () => deliverEvents(database, { sinkName: sink, send }, settings));
        },
        options,
      );
    },
    listSinks: () => {
      const action = 'list the sinks';
      return read(action, (database) => {
        assertVersion(database, action, LOG_VERSION);
        return listSinks(database, now());
      });
    },
    listDeliveries: (sink, options = {}) => {
      const action = 'list the deliveries';
      return read(action, (database) => {
        checkSink(action, sink);
        const state = readState(action, options);
        assertVersion(database, action, LOG_VERSION);
        return listDeliveries(database, { action, sinkName: sink, state, now: now() });
      });
    },
    replay: (sink, eventIds) => {
      const action = 'replay the events';
      return change(action, (database) => {
        checkSink(action, sink);
        return replayEvents(database, { action, sinkName: sink, eventIds: readIds(action, eventIds) });
      });
    },
    resumeSink: (sink) => {
      const action = 'resume the sink';
      return change(action, (database) => {
        checkSink(action, sink);
        return resumeSink(database, sink);
      });
    },
    removeSink: (sink) => {
      const action = 'remove the sink';
      return change(action, (database) => {
        checkSink(action, sink);
        return alone(action, sink, () => removeSink(database, sink));
      });
    },
  };
}
