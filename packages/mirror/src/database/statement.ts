import type { StatementSync } from 'node:sqlite';
import type { MirrorDatabase } from './mirror-database.ts';

const kept = new WeakMap<MirrorDatabase, Map<string, StatementSync>>();

/** Runs work that prepares each `statement` once. It keeps none of them afterwards, because they keep their database in memory. */
export function withStatements<Result>(database: MirrorDatabase, work: () => Result): Result {
  kept.set(database, new Map());
  try {
    return work();
  } finally {
    kept.delete(database);
  }
}

/** Returns a statement for one call. In a transaction, a change of thousands of rows prepares it only once. */
export function statement(database: MirrorDatabase, sql: string): StatementSync {
  const statements = kept.get(database);
  const prepared = statements?.get(sql) ?? database.prepare(sql);
  statements?.set(sql, prepared);
  return prepared;
}
