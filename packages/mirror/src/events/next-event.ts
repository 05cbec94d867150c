import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { storedTime } from './delivery-rules.ts';
import { entriesAfter, type LogEntry } from './event-log.ts';
import type { MemoryEventType } from './event-types.ts';
import { isBlocked, nextRow } from './next-row.ts';
import { moveSink, type Sink, untriedRow, writeRow } from './sink-rows.ts';

// The next event is usually near. Each further read of the log is twice as long.
const FIRST_PAGE = 2;
const LONGEST_PAGE = 512;

interface NextOptions {
  /** Current time, in milliseconds since 1970. */
  now: number;
  types: ReadonlySet<MemoryEventType>;
}

/** The event to try next. */
interface NextEvent {
  position: number;
  /** Failed tries of it. */
  attempts: number;
}

/**
 * Returns the event to try next; undefined if nothing is due.
 *
 * What was set aside goes first. After a failed try, an event without tries does, so that one bad event does not hide that
 * the receiver is alive.
 */
export async function nextEvent(
  database: MirrorDatabase,
  sink: Sink,
  { now, types }: NextOptions,
): Promise<NextEvent | undefined> {
  if (sink.isStopped || storedTime(sink.nextTry, now) > now) return undefined;
  const row = nextRow(database, sink, now);
  const isFirst = row !== undefined && (sink.failures === 0 || row.attempts === 0);
  const position = isFirst ? undefined : await takeFromLog(database, sink, types);
  return position === undefined ? row : { position, attempts: 0 };
}

/**
 * Returns the position of the first event of the log that can be tried. It stays in the log until its try has a result. Events before it
 * are passed over if the sink does not take their type, and set aside if an event of their memory waits.
 */
async function takeFromLog(
  database: MirrorDatabase,
  sink: Sink,
  types: ReadonlySet<MemoryEventType>,
): Promise<number | undefined> {
  let { position } = sink;
  const blocked: LogEntry[] = [];
  for (let size = FIRST_PAGE; ; size = Math.min(2 * size, LONGEST_PAGE)) {
    await yieldToEventLoop();
    const entries = entriesAfter(database, position, size);
    for (const entry of entries) {
      if (types.has(entry.type)) {
        if (!isBlocked(database, sink, entry.memoryKey)) {
          pass(database, sink, { position, blocked });
          return entry.position;
        }
        blocked.push(entry);
      }
      position = entry.position;
    }
    if (entries.length === 0) {
      pass(database, sink, { position, blocked });
      return undefined;
    }
  }
}

/** Moves the sink to a position, and sets events aside that wait for an earlier one of their memory. */
function pass(
  database: MirrorDatabase,
  sink: Sink,
  { position, blocked }: { position: number; blocked: LogEntry[] },
): void {
  if (position === sink.position) return;
  inTransaction(database, () => {
    for (const entry of blocked) writeRow(database, sink, untriedRow(entry));
    moveSink(database, sink, position);
  });
}
