import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { NamedSpeaker } from './people-types.ts';

/** Names a speaker of the version that search and pages use. */
export function nameSpeaker(
  _database: MirrorDatabase,
  _named: { memoryId: string; label: string; person: string; me: boolean; now: number },
): NamedSpeaker {
  throw new Error('TODO');
}

/** Removes the name of a speaker, and returns whether there was one. */
export function unnameSpeaker(
  _database: MirrorDatabase,
  _named: { memoryId: string; label: string; now: number },
): boolean {
  throw new Error('TODO');
}
