import type { MirrorDatabase } from './mirror-database.ts';
import { BUSY_TIMEOUT } from './open-existing.ts';

/** Milliseconds to wait for readers of the log. This wait blocks the thread. A read takes less time. */
const READER_TIMEOUT = 500;

/** Pages of the log, those of them that are in `mirror.sqlite`, and whether a reader kept the log from being emptied. */
interface Checkpoint {
  log: number;
  checkpointed: number;
  busy: 0 | 1;
}

/**
 * Writes the log into `mirror.sqlite`, so that this file is complete. Without a log, it writes nothing.
 *
 * Returns whether a reader kept the end in the log.
 */
export function writeBackLog(database: MirrorDatabase): boolean {
  const { log, checkpointed } = emptyLog(database);
  return checkpointed < log;
}

/** Writes the log back and empties it, unless a reader uses it. */
export function emptyLog(database: MirrorDatabase): Checkpoint {
  database.exec(`PRAGMA busy_timeout = ${READER_TIMEOUT}`);
  const result = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as unknown as Checkpoint;
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  return result;
}
