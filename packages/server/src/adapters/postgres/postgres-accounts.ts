import type { Account, MemoryStoreAdmin } from '../../ports/memory-store-admin.ts';
import { assertAccount } from '../../records/assert-account.ts';
import { unknownAccountError } from '../../records/memory-store-error.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import type { Query } from './postgres-query.ts';
import { toSqlText } from './postgres-text.ts';
import { statements } from './statements.ts';

export function createPostgresAccounts({
  query,
}: PostgresDatabase): Pick<MemoryStoreAdmin, 'putAccount' | 'findAccount'> {
  return {
    async putAccount({ userId, name }) {
      assertAccount({ userId, name });
      await query(statements.putAccount, [userId, name ?? null]);
    },
    findAccount: (userId) => findAccount(query, userId),
  };
}

/** @throws {@link MemoryStoreError} if there is no such account. */
export async function assertAccountExists(query: Query, userId: string): Promise<void> {
  if (!(await findAccount(query, userId))) throw unknownAccountError(userId);
}

async function findAccount(query: Query, userId: string): Promise<Account | undefined> {
  const [row] = await query(statements.findAccount, [toSqlText(userId)]);
  return row && { userId: row.user_id as string, name: row.name as string | null };
}
