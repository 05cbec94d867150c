import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { assertVersion } from '../database/assert-version.ts';
import { inSnapshot } from '../database/in-snapshot.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { ifWhole } from '../history/stored-version.ts';
import { checkOptions, checkText, invalidOption, readCount } from '../options/check-options.ts';
import { readEvent } from './event-body.ts';
import { idOf, positionOf } from './event-id.ts';
import { entriesAfter, LOG_VERSION, type LogEntry } from './event-log.ts';
import type { EventPage, EventsOptions, MemoryEvent } from './event-types.ts';
import { eventOptions, readEventOptions } from './read-event-options.ts';

const ACTION = 'list the events';

/** Most entries of the log that are read in one turn of the event loop. */
const PER_TURN = 20;

/**
 * Returns a page of the events of these types, oldest first. Its cursor is the id of the last event that was read, of any
 * type.
 *
 * @throws {@link MirrorError} with the code `invalid_option`, `older_version` or `damaged`.
 */
export async function listEvents(database: MirrorDatabase, options: EventsOptions): Promise<EventPage> {
  checkOptions(ACTION, options, [...eventOptions, 'after', 'limit']);
  const settings = readEventOptions(ACTION, options);
  const limit = readCount(ACTION, 'limit', options.limit, { min: 1, max: 1_000, default: 100 });
  const { after } = options;
  if (after !== undefined) checkText(ACTION, 'after', after);
  assertVersion(database, ACTION, LOG_VERSION);
  const events: MemoryEvent[] = [];
  let position = after === undefined ? 0 : readAfter(database, after);
  let last: LogEntry | undefined;
  /** Reads at most one event, because a transcript can be large. Returns whether the page is complete. */
  const readNext = (): boolean => {
    // The page ends before a damaged event. The next page rejects.
    const read = () => entriesAfter(database, position, PER_TURN);
    const entries = events.length === 0 ? read() : (ifWhole(read) ?? []);
    for (const entry of entries) {
      last = entry;
      position = entry.position;
      if (!settings.types.has(entry.type)) continue;
      events.push(readEvent(database, entry, settings).event);
      return events.length === limit;
    }
    return entries.length === 0;
  };
  while (!inSnapshot(database, readNext)) await yieldToEventLoop();
  return { events, cursor: last === undefined ? (after ?? null) : idOf(last) };
}

/** An empty page would hide an `after` of another mirror. */
function readAfter(database: MirrorDatabase, after: string): number {
  const position = positionOf(database, after);
  if (position !== undefined) return position;
  const reason = 'after is not an event of this mirror';
  throw invalidOption(ACTION, reason, 'Pass the id of an event or a cursor, or begin again without after');
}
