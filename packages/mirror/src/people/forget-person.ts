import type { MirrorStorage } from '../database/open-database.ts';

/** Removes a person, all their names, and the bytes of them. */
export async function forgetPerson(
  _storage: MirrorStorage,
  _forgotten: { person: string; now: number },
): Promise<{ forgotten: boolean; leftFiles: string[] }> {
  throw new Error('TODO');
}
