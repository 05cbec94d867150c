import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { onTestFinished, test } from 'vitest';
import { createTestSchema } from '../../server/postgres/test-schema.ts';
import { checkHost } from './expect-conformance.ts';
import { serveStore } from './serve-store.ts';

test('the server over PostgreSQL keeps every rule and every decision', async () => {
  const schema = await createTestSchema();
  onTestFinished(schema.remove);
  const pool = schema.createPool();
  await migratePostgresStore({ pool });
  await using server = await serveStore(createPostgresStore({ pool }));
  await checkHost('postgres', server.url);
});
