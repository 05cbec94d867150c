import type { MirrorDatabase } from '../database/mirror-database.ts';
import { shortHash } from '../history/stored-memories.ts';
import { entryAt, type LogEntry, newestPosition } from './event-log.ts';

const pattern = /^evt_([1-9]\d{0,15})_[0-9a-f]{24}$/;

/**
 * Returns the id of an event: its position, and a digest with its time. After a backup was put back, another event can
 * have the same position, and gets another id.
 */
export function idOf({ position, memoryId, version, type, at }: LogEntry): string {
  return `evt_${position}_${shortHash(JSON.stringify([memoryId, version, type, at]))}`;
}

/** Returns the position of an id of this mirror, also of a purged event; undefined for any other text. */
export function positionOf(database: MirrorDatabase, id: string): number | undefined {
  const position = Number(pattern.exec(id)?.[1]);
  if (!(position >= 2 && position <= newestPosition(database))) return undefined;
  const sequence = Math.floor(position / 2);
  const isPurged = database.prepare('SELECT 1 FROM events WHERE sequence = ?').get(sequence) === undefined;
  if (isPurged) return position;
  const entry = entryAt(database, position);
  return entry !== undefined && idOf(entry) === id ? position : undefined;
}
