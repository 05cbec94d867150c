import { assertApiKey, keyTakenError } from '../../api-keys/assert-api-key.ts';
import type { ApiKeyInfo, ApiKeyStore } from '../../ports/api-key-store.ts';
import { assertAccountExists } from './sqlite-accounts.ts';
import type { Row, SqliteConnection } from './sqlite-connection.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { toSqlText } from './sqlite-text.ts';

const columns = 'key_id, user_id, active, expires_at_ms, label, created_at_ms';
// Hashes have only hexadecimal digits, so another text finds nothing.
const findApiKeySql = `SELECT ${columns} FROM api_keys WHERE key_hash = ?`;

export function createSqliteApiKeys(database: SqliteDatabase): ApiKeyStore {
  return {
    async findApiKey(keyHash) {
      const row = database.get(findApiKeySql, keyHash);
      return row && toApiKeyInfo(row);
    },
    async putApiKey(apiKey) {
      assertApiKey(apiKey);
      await database.transaction((writer) => putApiKey(writer, apiKey));
    },
    async revokeApiKey(keyId) {
      const sql = 'UPDATE api_keys SET active = 0 WHERE key_id = ?';
      return (await database.transaction((writer) => writer.run(sql, toSqlText(keyId)))) > 0;
    },
    async listApiKeys(userId) {
      const rows =
        userId === undefined
          ? database.all(`SELECT ${columns} FROM api_keys ORDER BY key_id`)
          : database.all(`SELECT ${columns} FROM api_keys WHERE user_id = ? ORDER BY key_id`, toSqlText(userId));
      return rows.map(toApiKeyInfo);
    },
  };
}

function putApiKey(writer: SqliteConnection, apiKey: Parameters<ApiKeyStore['putApiKey']>[0]): void {
  const { keyId, keyHash, userId, active = true, expiresAt, label, createdAt } = apiKey;
  assertAccountExists(writer, userId);
  if (writer.get('SELECT 1 FROM api_keys WHERE key_hash = ? AND key_id <> ?', keyHash, keyId)) {
    throw keyTakenError(keyId);
  }
  writer.run(
    `INSERT INTO api_keys (key_id, key_hash, user_id, active, expires_at_ms, label, created_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (key_id) DO UPDATE SET key_hash = excluded.key_hash, user_id = excluded.user_id,
       active = excluded.active, expires_at_ms = excluded.expires_at_ms, label = excluded.label,
       created_at_ms = excluded.created_at_ms`,
    keyId,
    keyHash,
    userId,
    active ? 1 : 0,
    expiresAt?.getTime() ?? null,
    label ?? null,
    createdAt?.getTime() ?? null,
  );
}

function toApiKeyInfo(row: Row): ApiKeyInfo {
  return {
    keyId: row.key_id as string,
    userId: row.user_id as string,
    active: row.active === 1,
    ...(row.expires_at_ms !== null && { expiresAt: new Date(row.expires_at_ms as number) }),
    ...(row.label !== null && { label: row.label as string }),
    ...(row.created_at_ms !== null && { createdAt: new Date(row.created_at_ms as number) }),
  };
}
