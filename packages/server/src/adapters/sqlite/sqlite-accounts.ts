import type { Account, MemoryStoreAdmin } from '../../ports/memory-store-admin.ts';
import { assertAccount } from '../../records/assert-account.ts';
import { unknownAccountError } from '../../records/memory-store-error.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { toSqlText } from './sqlite-text.ts';

export function createSqliteAccounts(database: SqliteDatabase): Pick<MemoryStoreAdmin, 'putAccount' | 'findAccount'> {
  return {
    async putAccount({ userId, name }) {
      assertAccount({ userId, name });
      await database.transaction((writer) =>
        writer.run(
          `INSERT INTO accounts (user_id, name) VALUES (?, ?)
           ON CONFLICT (user_id) DO UPDATE SET name = coalesce(excluded.name, name)`,
          userId,
          name ?? null,
        ),
      );
    },
    async findAccount(userId) {
      return findAccount(database, userId);
    },
  };
}

/** @throws {@link MemoryStoreError} if there is no such account. */
export function assertAccountExists(database: Pick<SqliteDatabase, 'get'>, userId: string): void {
  if (!findAccount(database, userId)) throw unknownAccountError(userId);
}

function findAccount(database: Pick<SqliteDatabase, 'get'>, userId: string): Account | undefined {
  const row = database.get('SELECT user_id, name FROM accounts WHERE user_id = ?', toSqlText(userId));
  return row && { userId: row.user_id as string, name: row.name as string | null };
}
