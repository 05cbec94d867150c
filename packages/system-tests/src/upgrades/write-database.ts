/**
 * Writes the database of the present schema, once: what an older version wrote must stay as that version wrote it.
 *
 * node --conditions=@memory-read/source packages/system-tests/src/upgrades/write-database.ts sqlite-schema-1.sqlite
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hashApiKey } from '@memory-read/server';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { account, apiKeys, memories } from './written-content.ts';

const [, , name = ''] = process.argv;
const path = join(import.meta.dirname, name);
if (existsSync(path)) {
  throw new Error(`Failed to write ${path}: because it is there already. Name one of a schema that has none.`);
}

const store = openSqliteStore({ path });
await store.putAccount(account);
// Twice with another start, so that the count of moves is not what a new database has.
await store.putMemories(
  account.userId,
  memories.map((memory) => ({ ...memory, started_at: '2026-01-01T00:00:00.000Z' })),
);
await store.putMemories(account.userId, memories);
for (const { keyId, key, expiresAt } of Object.values(apiKeys)) {
  await store.putApiKey({ keyId, keyHash: hashApiKey(key), userId: account.userId, expiresAt });
}
await store.revokeApiKey(apiKeys.revoked.keyId);
// The last one to close brings the log back into the file.
await store.close();
