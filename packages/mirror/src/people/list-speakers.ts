import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { NamedSpeaker } from './people-types.ts';

/** Returns the speakers of a memory in the order of first speech, with their people. */
export function listSpeakers(_database: MirrorDatabase, _memoryId: string, _action: string): NamedSpeaker[] {
  throw new Error('TODO');
}
