import { assertApiKey, keyTakenError } from '../../api-keys/assert-api-key.ts';
import type { ApiKeyInfo, ApiKeyStore } from '../../ports/api-key-store.ts';
import { unknownAccountError } from '../../records/memory-store-error.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import type { Row } from './postgres-query.ts';
import { codeOf } from './postgres-store-error.ts';
import { toSqlText } from './postgres-text.ts';
import { statements } from './statements.ts';

export function createPostgresApiKeys({ query, read }: PostgresDatabase): ApiKeyStore {
  return {
    async findApiKey(keyHash) {
      const [row] = await read(statements.findApiKey, [toSqlText(keyHash)]);
      return row && toApiKeyInfo(row);
    },
    async putApiKey(apiKey) {
      assertApiKey(apiKey);
      const { keyId, keyHash, userId, active = true, expiresAt, label, createdAt } = apiKey;
      if (toSqlText(userId) === null) throw unknownAccountError(userId);
      try {
        const times = [expiresAt, createdAt].map((date) => date?.getTime() ?? null);
        await query(statements.putApiKey, [keyId, keyHash, userId, active, times[0], label ?? null, times[1]]);
      } catch (error) {
        // The constraints check account and hash, so another process cannot interfere.
        const sqlState = codeOf((error as Error).cause);
        if (sqlState === foreignKeyViolation) throw unknownAccountError(userId);
        throw sqlState === uniqueViolation ? keyTakenError(keyId) : error;
      }
    },
    async revokeApiKey(keyId) {
      return (await query(statements.revokeApiKey, [toSqlText(keyId)])).length > 0;
    },
    async listApiKeys(userId) {
      const rows = await (userId === undefined
        ? query(statements.listApiKeys)
        : query(statements.listApiKeysOfAccount, [toSqlText(userId)]));
      return rows.map(toApiKeyInfo);
    },
  };
}

const foreignKeyViolation = '23503';
const uniqueViolation = '23505';

function toApiKeyInfo(row: Row): ApiKeyInfo {
  return {
    keyId: row.key_id as string,
    userId: row.user_id as string,
    active: row.active === 'true',
    ...(row.expires_at_ms !== null && { expiresAt: new Date(Number(row.expires_at_ms)) }),
    ...(row.label !== null && { label: row.label as string }),
    ...(row.created_at_ms !== null && { createdAt: new Date(Number(row.created_at_ms)) }),
  };
}
