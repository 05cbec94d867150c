import type { MirrorDatabase } from '../database/mirror-database.ts';

/** Yields the lines of the file of the people. */
export async function* exportPeople(
  _read: <Result>(work: (database: MirrorDatabase) => Result) => Promise<Result>,
): AsyncGenerator<string, void, undefined> {
  yield '';
  throw new Error('TODO');
}
