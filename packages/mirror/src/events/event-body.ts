import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { LogEntry } from './event-log.ts';
import type { MemoryEvent } from './event-types.ts';
import type { EventSettings } from './read-event-options.ts';

/** Returns an event, and its JSON, which is the same each time. */
export function readEvent(
  _database: MirrorDatabase,
  _entry: LogEntry,
  _settings: EventSettings,
): { event: MemoryEvent; body: string } {
  throw new Error('not yet');
}
