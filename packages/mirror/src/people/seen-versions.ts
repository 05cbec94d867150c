import type { Memory } from '@memory-read/client';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { statement } from '../database/statement.ts';
import { ifWhole, readVersion } from '../history/stored-version.ts';
import { saidOf } from './said.ts';

/** Reads the versions of a memory that people saw, each once. */
export interface SeenVersions {
  /** Returns a version; undefined if the mirror does not have it, or if it is damaged. */
  read(version: number): Memory | undefined;
  /** Returns the newest version in which this was said; undefined if there is no such version. */
  find(said: string): number | undefined;
}

/** Returns a reader of the versions of a memory. */
export function seenVersions(database: MirrorDatabase, memoryId: string): SeenVersions {
  const select = `SELECT memory_id, versions.* FROM memories JOIN versions USING (memory_key) WHERE memory_id = ?`;
  const find = statement(database, `${select} AND version = ?`);
  const read = new Map<number, Memory | undefined>();
  let numbers: number[] | undefined;
  const seen: SeenVersions = {
    read: (version) => {
      if (!read.has(version))
        read.set(
          version,
          ifWhole(() => readVersion(find.get(memoryId, version) ?? {})),
        );
      return read.get(version);
    },
    find: (said) => {
      numbers ??= statement(
        database,
        'SELECT version FROM versions JOIN memories USING (memory_key) WHERE memory_id = ? ORDER BY version DESC',
      )
        .all(memoryId)
        .map(({ version }) => Number(version));
      return numbers.find((version) => {
        const memory = seen.read(version);
        return memory !== undefined && [...saidOf(memory).values()].includes(said);
      });
    },
  };
  return seen;
}
